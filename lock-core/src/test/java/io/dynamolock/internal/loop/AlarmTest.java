package io.dynamolock.internal.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.VirtualTime;
import io.dynamolock.internal.time.Deadline;
import io.dynamolock.internal.time.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AlarmTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final VirtualTime time = VirtualTime.notAtZero();
    private final VirtualTime.Loop loop = time.new Loop();
    private final List<Duration> rings = new ArrayList<>();
    private final Alarm alarm = new Alarm(loop, time, () -> rings.add(sinceStart()));
    private final Moment start = time.moment();

    @Test
    void theStepRunsAtTheDeadlineThatWasSetLast() {
        alarm.set(Deadline.at(start.plus(SECOND.multipliedBy(2))));
        alarm.set(Deadline.at(start.plus(SECOND)));
        time.advance(SECOND.multipliedBy(3));
        alarm.set(Deadline.at(start.plus(SECOND)));
        time.advance(SECOND);

        assertThat(rings).containsExactly(SECOND, SECOND.multipliedBy(3));
    }

    @Test
    void aDeadlineThatIsPutOffAgainAndAgainCostsOneTimer() {
        for (int i = 1; i <= 100; i++) {
            alarm.set(Deadline.at(start.plus(SECOND.plusMillis(i))));
            assertThat(loop.timers()).isEqualTo(1);
        }
        time.advance(SECOND.multipliedBy(2));

        assertThat(rings).containsExactly(SECOND.plusMillis(100));
    }

    @Test
    void aCancelledAlarmNeverRings() {
        alarm.set(Deadline.at(start.plus(SECOND)));
        alarm.cancel();
        time.advance(SECOND.multipliedBy(2));

        assertThat(rings).isEmpty();
        assertThat(loop.timers()).isZero();
    }

    private Duration sinceStart() {
        return time.moment().since(start);
    }
}
