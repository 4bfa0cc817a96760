package io.dynamolock.simulation.soak;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The soak command works; {@link SimulationSoak} is the command. */
class SoakTest {

    private static final int SEEDS = 10;

    @Test
    void playsSeedsAndTellsWhatTheyCovered() {
        Soak soak = new Soak(0);
        soak.playUntil(() -> soak.seeds() >= SEEDS);
        assertThat(soak.broken()).isEmpty();
        assertThat(soak.report())
                .contains(SEEDS + " seeds")
                .containsPattern("[1-9][0-9,]* grants")
                .containsPattern("[1-9][0-9,]* store calls")
                .containsPattern("\n *[0-9,]+ fault CRASH")
                .containsPattern("[1-9][0-9]* of the engine's [1-9][0-9]+ branches taken")
                .containsPattern("[1-9][0-9]* of [1-9][0-9]+ branches of KeyQueue.java")
                .contains("Never taken:\n");
    }
}
