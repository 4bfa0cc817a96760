package io.dynamolock.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ScheduleTest {

    @Test
    void startsAreEvenWhoeverTakesThemAndHoweverLate() throws InterruptedException {
        long longAgo = System.nanoTime() - TimeUnit.SECONDS.toNanos(10);
        Schedule schedule = new Schedule(longAgo, Duration.ofMillis(10));

        assertThat(schedule.await() - longAgo).isZero();
        assertThat(schedule.await() - longAgo).isEqualTo(ms(10));
        assertThat(schedule.await() - longAgo).isEqualTo(ms(20));
    }

    @Test
    void aThreadThatIsEarlyWaitsForItsStart() throws InterruptedException {
        long soon = System.nanoTime() + ms(20);
        long start = new Schedule(soon, Duration.ofMillis(10)).await();

        assertThat(start).isEqualTo(soon);
        assertThat(System.nanoTime() - soon).isNotNegative();
    }

    @Test
    void countsStartsFromTheFirstMomentOnAndBeforeTheSecond() {
        Schedule schedule = new Schedule(ms(100), Duration.ofMillis(10));

        assertThat(schedule.startsWithin(ms(0), ms(100))).isZero();
        assertThat(schedule.startsWithin(ms(100), ms(101))).isEqualTo(1);
        assertThat(schedule.startsWithin(ms(101), ms(110))).isZero();
        assertThat(schedule.startsWithin(ms(105), ms(145))).isEqualTo(4);
        assertThat(schedule.startsWithin(ms(0), ms(1_100))).isEqualTo(100);
    }

    private static long ms(long millis) {
        return Duration.ofMillis(millis).toNanos();
    }
}
