package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.process.PausableEngine;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * What happens to many callers of one key at the same moment is one decision, not one for each of them. All locks of a
 * process wait for its decisions, and so do its heartbeats.
 */
class DecidedTogetherTest {

    private static final int CALLERS = 1_000;
    private static final Duration WAIT = Duration.ofSeconds(10);

    /** Long enough for the crowd to have its entry, and no round figure: no answer and no timer comes just then. */
    private static final Duration A_WHILE = Duration.ofNanos(1_000_300_001);

    private final Bench bench = new Bench();
    private final Machine machine = new Machine(bench.time);
    private final LockEngine process = new PausableEngine(
            TestSettings.of("process", Bench.LEASE, Bench.CALL_TIMEOUT, Bench.MAX_CALLS, 200),
            bench.network.anotherWay(),
            machine.loop,
            machine,
            new SplittableRandom(2),
            machine,
            new CountedDecisions()::engine);

    /** How often the process has decided what to do. */
    private int decisions;

    private final class CountedDecisions extends Rules {

        /** Each decision asks for this once. */
        @Override
        Now now(Now now) {
            decisions++;
            return now;
        }
    }

    @Test
    void callersThatGiveUpTogetherCostOneDecision() {
        List<Acquisition> crowd = crowdBehindAHolder();

        crowd.forEach(Acquisition::abandon);
        bench.time.advance(Duration.ZERO);

        assertThat(decisions).isOne();
        assertThat(machine.countEvents("abandoned")).isEqualTo(CALLERS);
        bench.advanceMillis(1_000);
        assertThat(bench.queue()).as("the holder's entry").hasSize(1);
    }

    @Test
    void callersWhoseTimesAreOverTogetherCostOneDecision() {
        List<Acquisition> crowd = crowdBehindAHolder();
        bench.time.advance(WAIT.minus(A_WHILE).minusNanos(1));
        decisions = 0;

        bench.time.advance(Duration.ofNanos(1));

        assertThat(crowd).allMatch(Acquisitions::isTimedOut);
        assertThat(decisions).isOne();
    }

    /** The crowd waits in the queue, and no decision has been counted yet. */
    private List<Acquisition> crowdBehindAHolder() {
        bench.grant(bench.processThatHasUsedTheLock());
        List<Acquisition> crowd = Acquisitions.start(process, CALLERS, Bench.exclusive(WAIT));
        bench.time.advance(A_WHILE);
        assertThat(machine.countEvents("queued")).isEqualTo(CALLERS);
        decisions = 0;
        return crowd;
    }
}
