package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.Bench.Fate;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A wait ends at its time, whatever the store does, and leaves nothing behind. */
class EndOfWaitTest {

    private final Bench bench = new Bench();

    @ParameterizedTest(name = "{0}, session begun: {1}, wait {2} ms")
    @CsvSource({
        "SILENT, false, 0",
        "SILENT, false, 300",
        "SILENT, false, 3000",
        "SILENT, true, 0",
        "SILENT, true, 300",
        "SILENT, true, 3000",
        "REFUSED_CONNECTION, false, 0",
        "REFUSED_CONNECTION, false, 300",
        "REFUSED_CONNECTION, false, 3000",
        "REFUSED_CONNECTION, true, 0",
        "REFUSED_CONNECTION, true, 300",
        "REFUSED_CONNECTION, true, 3000"
    })
    void itEndsAtMostASecondLateAsAFailureWhenTheStoreDoesNotAnswer(Fate fate, boolean isBegun, long waitMillis) {
        LockEngine process = isBegun ? bench.begun() : bench.process();
        bench.fate = fate;

        Acquisition waits = process.acquire(Bench.spec(Kind.EXCLUSIVE, Duration.ofMillis(waitMillis)));
        bench.advance(waitMillis + 1_000);

        assertThat(waits.outcome()).isDone();
        assertThat(why(waits)).isInstanceOf(AcquireOutcome.Failed.class);
    }

    @ParameterizedTest
    @CsvSource({"0", "1", "20", "300", "3000"})
    void itEndsAsTimedOutWhenAnotherProcessHoldsTheLock(long waitMillis) {
        Grant held = bench.grant(bench.begun());
        LockEngine other = bench.begunBeside();

        Acquisition waits = other.acquire(Bench.spec(Kind.EXCLUSIVE, Duration.ofMillis(waitMillis)));
        bench.advance(waitMillis + 50);

        assertThat(why(waits)).isInstanceOf(AcquireOutcome.TimedOut.class);
        bench.advance(1_000);
        assertThat(bench.queue()).hasSize(1);
        bench.release(held);
    }

    @ParameterizedTest
    @CsvSource({"0", "1", "20", "300"})
    void evenAShortOneGetsAFreeLock(long waitMillis) {
        LockEngine process = bench.process();

        Acquisition waits = process.acquire(Bench.spec(Kind.EXCLUSIVE, Duration.ofMillis(waitMillis)));

        bench.release(bench.granted(waits));
        assertThat(bench.queue()).isEmpty();
    }

    @Test
    void whoDoesNotWaitTakesALockOverWhoseProcessHasBeenDeadForLong() {
        bench.grant(bench.begun());
        bench.die();
        bench.time.advance(Duration.ofMinutes(10));
        LockEngine other = bench.begunBeside();

        Acquisition waits = other.acquire(Bench.spec(Kind.EXCLUSIVE, Duration.ZERO));

        bench.release(bench.granted(waits));
        assertThat(bench.queue()).isEmpty();
    }

    private static AcquireOutcome why(Acquisition ended) {
        AcquireOutcome outcome = ended.outcome().getNow(null);
        assertThat(outcome).isInstanceOf(AcquireOutcome.class);
        return outcome;
    }
}
