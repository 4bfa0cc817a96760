package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockKey;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** A wrong clock costs nobody a lock, so the log is where an operator hears of it. */
@ExtendWith(OutputCaptureExtension.class)
class ClocksAreLoggedTest {

    private static final LockKey SECRET = new LockKey("secret-7", "default");

    private final Bench bench = new Bench();

    @Test
    void aWrongWallClockIsWarnedOfOnceAMinuteWithBothTimes(CapturedOutput output) {
        usesALock(Duration.ofHours(-5));

        bench.advanceMillis(59_000);
        assertThat(warnings(output))
                .singleElement()
                .asString()
                .contains(
                        "The clocks of this machine and of DynamoDB disagree",
                        "here it is 1970-01-12T08:46",
                        "there it is 1970-01-12T13:46",
                        "Set the clock of this machine");

        bench.advanceMillis(30_000);
        assertThat(warnings(output)).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(longs = {-60, 60})
    void aWrongDateIsWarnedOfOnceAMinuteWithWhatMayBeWrong(long seconds, CapturedOutput output) {
        bench.network.setStoreClockAhead(Duration.ofSeconds(seconds));
        usesALock(Duration.ZERO);

        bench.advanceMillis(59_000);
        assertThat(warnings(output))
                .singleElement()
                .asString()
                .contains("disagree", "look for a proxy that changes the Date header");

        bench.advanceMillis(30_000);
        assertThat(warnings(output)).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(longs = {-28, 0, 28})
    void aClockThatIsHardlyWrongIsNotWarnedOf(long seconds, CapturedOutput output) {
        usesALock(Duration.ofSeconds(seconds));
        bench.advanceMillis(60_000);

        assertThat(warnings(output)).isEmpty();
    }

    @Test
    void answersWithoutADateAreNotWarnedOfWhereNothingDependsOnThem(CapturedOutput output) {
        bench.network.storeTellsNoTime();
        usesALock(Duration.ofHours(-5));
        bench.advanceMillis(60_000);

        assertThat(warnings(output)).isEmpty();
    }

    @Test
    void aKeptLockIsWarnedOfOnceAMinuteWhereNoDateTellsForHowLong(CapturedOutput output) {
        LockEngine stopped = bench.processWithSession();
        bench.granted(stopped.acquire(holdingAtLeastAnHour(SECRET))).release();
        stopped.shutdown();
        bench.advanceMillis(100);
        assertThat(bench.table.lock(SECRET).queue()).hasSize(1).allMatch(Entry.Kept.class::isInstance);
        bench.network.storeTellsNoTime();
        LockEngine waiting = bench.process();

        bench.acquire(waiting, Bench.exclusive(SECRET, Duration.ofMinutes(10)), 59_000);
        assertThat(warnings(output))
                .singleElement()
                .asString()
                .contains("is kept for a process that has stopped", "without a Date header", "a proxy that removes it")
                .doesNotContain("secret-7");

        bench.advanceMillis(30_000);
        assertThat(warnings(output)).hasSize(2);
    }

    @Test
    void locksThatAreNotKeptForLackOfADateAreWarnedOfOnce(CapturedOutput output) {
        bench.network.storeTellsNoTime();
        LockEngine process = bench.processWithSession();
        bench.granted(process.acquire(holdingAtLeastAnHour(SECRET))).release();
        bench.granted(process.acquire(holdingAtLeastAnHour(Bench.KEY))).release();

        process.shutdown();
        bench.advanceMillis(1_000);

        assertThat(bench.table.lock(SECRET).queue()).isEmpty();
        assertThat(warnings(output))
                .singleElement()
                .asString()
                .contains("is not kept while this process is gone", "without a Date header", "a proxy that removes it")
                .doesNotContain("secret-7");
    }

    /** A process whose wall clock is ahead by this holds a lock. */
    private void usesALock(Duration ahead) {
        LockEngine process = bench.process();
        bench.machineOf(process).moveWallClock(ahead);
        bench.grant(process);
    }

    private static AcquireSpec holdingAtLeastAnHour(LockKey key) {
        return Specs.exclusive(key).holdAtLeast(Duration.ofHours(1)).spec();
    }

    private static List<String> warnings(CapturedOutput output) {
        return output.getOut().lines().filter(line -> line.contains("WARN")).toList();
    }
}
