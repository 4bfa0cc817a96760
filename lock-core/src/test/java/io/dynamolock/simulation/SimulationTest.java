package io.dynamolock.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import org.junit.jupiter.api.Test;

/** Many seeds of the {@link Simulation}. To replay one: {@code -Dsimulation.seed=N}. */
class SimulationTest {

    private static final int SEEDS = Integer.getInteger("simulation.seeds", 300);
    private static final long FIRST_SEED = Long.getLong("simulation.first", 0);

    @Test
    void keepsItsPromisesWhateverTheNetworkAndTheProcessesDo() {
        Long only = Long.getLong("simulation.seed");
        if (only != null) {
            Outcome outcome = Simulation.run(only);
            System.out.println(outcome.history());
            keptItsPromises(outcome);
            return;
        }
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
            keptItsPromises(Simulation.run(seed));
        }
    }

    private static void keptItsPromises(Outcome outcome) {
        if (outcome.violation() != null) {
            fail("seed " + outcome.seed() + ": " + outcome.violation()
                    + "\nreplay: mvn -pl lock-core -am test -Dtest=SimulationTest -Dsurefire.failIfNoSpecifiedTests=false"
                    + " -Dsimulation.seed=" + outcome.seed() + "\n" + outcome.lastLines(80));
        }
    }

    @Test
    void theSameSeedTellsTheSameStory() {
        assertThat(Simulation.run(FIRST_SEED).history())
                .isEqualTo(Simulation.run(FIRST_SEED).history());
    }
}
