package io.dynamolock.internal.engine;

import org.junit.jupiter.api.Test;

/** Many seeds of the simulation. */
class LockStateSimulationTest {

    private static final int SEEDS = Integer.getInteger("lockstate.seeds", 200);
    private static final long FIRST = Long.getLong("lockstate.first", 0);

    @Test
    void withoutFaultsEverybodyIsServedAndNothingIsLeft() {
        play(new LockStateSimulation.Story(3, 4, false, false, false, false, false, false));
    }

    @Test
    void readersWritersAndPermitsHoldOnlyWhatGoesTogether() {
        play(new LockStateSimulation.Story(3, 4, false, false, true, false, false, false));
    }

    @Test
    void lostAndLateCallsBreakNoPromise() {
        play(new LockStateSimulation.Story(3, 4, true, false, false, true, true, false));
    }

    @Test
    void lostSessionsBreakNoPromise() {
        play(new LockStateSimulation.Story(3, 4, true, true, true, true, true, false));
    }

    private static void play(LockStateSimulation.Story story) {
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
            new LockStateSimulation(seed, story).run();
        }
    }
}
