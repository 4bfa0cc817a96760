package io.dynamolock.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Plays many seeds of the {@link Simulation}. System properties: {@code simulation.seeds} says how many,
 * {@code simulation.first} which is the first, {@code simulation.joint} how many below zero;
 * {@code simulation.seed} replays one and prints all that happened.
 */
class SimulationTest {

    private static final int SEEDS = Integer.getInteger("simulation.seeds", 2_000);
    private static final long FIRST_SEED = Long.getLong("simulation.first", 0);
    private static final int JOINT_SEEDS = Integer.getInteger("simulation.joint", 500);
    private static final int LAST_LINES = 80;

    @Test
    void keepsItsPromisesWhateverTheNetworkAndTheProcessesDo() {
        Long only = Long.getLong("simulation.seed");
        if (only != null) {
            Outcome outcome = Simulation.run(only);
            System.out.println(outcome.history());
            keptItsPromises(outcome);
            return;
        }
        Optional<Outcome> broken = LongStream.range(FIRST_SEED, FIRST_SEED + SEEDS)
                .parallel()
                .mapToObj(Simulation::run)
                .filter(outcome -> outcome.violation() != null)
                .min(Comparator.comparingLong(Outcome::seed));
        broken.ifPresent(SimulationTest::keptItsPromises);
    }

    @Test
    void keepsItsPromisesToReadersWritersAndThoseWithPermits() {
        Optional<Outcome> broken = LongStream.rangeClosed(-JOINT_SEEDS, -1)
                .parallel()
                .mapToObj(Simulation::run)
                .filter(outcome -> outcome.violation() != null)
                .max(Comparator.comparingLong(Outcome::seed));
        broken.ifPresent(SimulationTest::keptItsPromises);
    }

    private static void keptItsPromises(Outcome outcome) {
        if (outcome.violation() != null) {
            fail(outcome.describe(LAST_LINES));
        }
    }

    @Test
    void theSameSeedTellsTheSameStory() {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + 8; seed++) {
            assertThat(Simulation.run(seed).history())
                    .isEqualTo(Simulation.run(seed).history());
            assertThat(Simulation.run(-1 - seed).history())
                    .isEqualTo(Simulation.run(-1 - seed).history());
        }
    }

    /** A set of the JDK may have another order in each virtual machine. */
    @Test
    void theSameSeedTellsTheSameStoryInAnotherVirtualMachine() throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-ea",
                "-cp",
                System.getProperty("java.class.path"),
                Storyteller.class.getName()));
        LongStream.of(Storyteller.SEEDS).mapToObj(Long::toString).forEach(command::add);
        Process other = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (InputStream told = other.getInputStream()) {
            assertThat(new String(told.readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualToIgnoringNewLines(Storyteller.tell(Storyteller.SEEDS));
        } finally {
            other.destroyForcibly();
        }
    }
}
