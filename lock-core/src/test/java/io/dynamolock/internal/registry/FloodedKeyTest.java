package io.dynamolock.internal.registry;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** By a real clock: what a crowd of callers of one key does to the other users of a process. One crowd at a time. */
@Execution(ExecutionMode.SAME_THREAD)
class FloodedKeyTest {

    /**
     * Other crowds are tried with {@code -Dflood.callers=200000}. That needs a machine with nothing else to do: the
     * processor is busy for about ten seconds, and for over a minute if each caller is served.
     */
    private static final int CALLERS = Integer.getInteger("flood.callers", 2_000);

    @ParameterizedTest
    @EnumSource
    void othersGetTheirLocksAndTheSessionStaysWhateverBecomesOfACrowd(FloodedKey crowd) throws Exception {
        FloodedKey.Result result = crowd.with(CALLERS);

        if (Boolean.getBoolean("flood.print")) {
            System.out.println(CALLERS + " callers, " + crowd + ": " + result);
        }
        assertThat(result.sessionsLost()).isZero();
        assertThat(result.longestWait()).isLessThan(Duration.ofSeconds(5));
        assertThat(result.grants()).isEqualTo(crowd == FloodedKey.IS_GRANTED ? CALLERS : 0);
    }
}
