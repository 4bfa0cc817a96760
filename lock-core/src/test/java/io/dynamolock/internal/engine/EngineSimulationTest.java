package io.dynamolock.internal.engine;

import io.dynamolock.internal.engine.EngineSimulation.Story;
import org.junit.jupiter.api.Test;

/** Many seeds of the simulation: {@code -Dengine.seeds} of each story, from {@code -Dengine.first} on. */
class EngineSimulationTest {

    private static final int SEEDS = Integer.getInteger("engine.seeds", 150);
    private static final long FIRST = Long.getLong("engine.first", 0);

    @Test
    void withoutFaultsEverybodyIsServedAndNothingIsLeft() {
        play(new Story(3, 4, false, false, false, false));
    }

    @Test
    void readersWritersAndPermitsHoldOnlyWhatGoesTogether() {
        play(new Story(3, 4, true, false, false, false));
    }

    @Test
    void lostLateAndOldAnswersBreakNoPromise() {
        play(new Story(3, 4, true, true, false, false));
    }

    @Test
    void processesThatFreezeAndDieBreakNoPromise() {
        play(new Story(3, 4, true, true, true, false));
    }

    @Test
    void aStoreThatIsSilentForAWhileBreaksNoPromise() {
        play(new Story(3, 4, true, true, true, true));
    }

    private static void play(Story story) {
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
            new EngineSimulation(seed, story).run();
        }
    }
}
