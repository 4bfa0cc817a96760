package io.dynamolock.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.locks.Lock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What was written before {@code unlock} is seen after the next lock, in whichever way that was got. */
class VisibilityTest extends LockContract {

    private static final int TURNS = 200;

    /** Neither is volatile: only the lock makes them seen. */
    private long turn;

    private long[] written = new long[1];

    @ParameterizedTest
    @EnumSource
    void showsTheNextHolderWhatTheLastOneWrote(Way way) throws Exception {
        var even = rival(() -> takeTurns(way, lock, 0));
        var odd = rival(() -> takeTurns(way, rivalLock, 1));

        assertThat(even.value()).as("stale reads").isZero();
        assertThat(odd.value()).as("stale reads").isZero();
        lock.lock();
        assertThat(turn).isEqualTo(TURNS);
        assertThat(written).containsExactly(TURNS);
        lock.unlock();
    }

    /** Does every second turn; counts the reads that missed the other's latest write. */
    private int takeTurns(Way way, Lock mine, int parity) throws InterruptedException {
        int stale = 0;
        boolean done = false;
        while (!done) {
            if (!way.enter(mine)) {
                Thread.yield();
                continue;
            }
            if (written[0] != turn) {
                stale++;
            }
            if (turn < TURNS && turn % 2 == parity) {
                turn++;
                written = new long[] {turn};
            }
            done = turn == TURNS;
            mine.unlock();
        }
        return stale;
    }
}
