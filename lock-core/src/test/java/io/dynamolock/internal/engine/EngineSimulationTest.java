package io.dynamolock.internal.engine;

import static io.dynamolock.internal.engine.EngineSimulation.Mishap.CLOCKS;
import static io.dynamolock.internal.engine.EngineSimulation.Mishap.CRASHES;
import static io.dynamolock.internal.engine.EngineSimulation.Mishap.DOUBLED;
import static io.dynamolock.internal.engine.EngineSimulation.Mishap.LOST;
import static io.dynamolock.internal.engine.EngineSimulation.Mishap.NOTICES;
import static io.dynamolock.internal.engine.EngineSimulation.Mishap.REMOVALS;
import static io.dynamolock.internal.engine.EngineSimulation.Mishap.RESIZES;
import static io.dynamolock.internal.engine.EngineSimulation.Mishap.SILENCE;
import static io.dynamolock.internal.engine.EngineSimulation.Mishap.STOPS;
import static io.dynamolock.internal.engine.EngineSimulation.Mishap.THROTTLED;

import io.dynamolock.internal.engine.EngineSimulation.Story;
import org.junit.jupiter.api.Test;

/** Many seeds of the simulation: {@code -Dengine.seeds} of each story, from {@code -Dengine.first} on. */
class EngineSimulationTest {

    private static final int SEEDS = Integer.getInteger("engine.seeds", 40);
    private static final long FIRST = Long.getLong("engine.first", 0);

    @Test
    void withoutFaultsEverybodyIsServedForTwoWritesAndNothingIsLeft() {
        play(new Story(false));
    }

    @Test
    void readersWritersAndPermitsHoldOnlyWhatGoesTogether() {
        play(new Story(true));
    }

    @Test
    void callsThatFailWithoutEffectBreakNoPromise() {
        play(new Story(true, THROTTLED));
    }

    @Test
    void lostLateAndOldAnswersBreakNoPromise() {
        play(new Story(true, LOST));
    }

    @Test
    void editsThatLandTwiceBreakNoPromiseButThatOfTheirFence() {
        play(new Story(true, LOST, DOUBLED));
    }

    @Test
    void pausesAndShutdownsLeaveNothingButWhatIsToBeKept() {
        play(new Story(true, STOPS));
    }

    @Test
    void noticesEvictionsAndOtherNumbersOfPermitsBreakNoPromise() {
        play(new Story(true, NOTICES, RESIZES, LOST));
    }

    @Test
    void itemsThatSomebodyRemovesBreakNoPromiseButTheOrderOfTokens() {
        play(new Story(true, REMOVALS, LOST));
    }

    @Test
    void processesThatFreezeAndDieBreakNoPromise() {
        play(new Story(true, LOST, CRASHES, CLOCKS));
    }

    @Test
    void allTogetherBreaksNoPromise() {
        play(new Story(true, EngineSimulation.Mishap.values()));
    }

    @Test
    void aStoreThatIsSilentForAWhileBreaksNoPromise() {
        play(new Story(true, LOST, CRASHES, SILENCE));
    }

    private static void play(Story story) {
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
            new EngineSimulation(seed, story).run();
        }
    }
}
