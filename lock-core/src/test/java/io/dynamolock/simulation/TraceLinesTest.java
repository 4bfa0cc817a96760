package io.dynamolock.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.protocol.LockKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The simulator's traces. With {@code -Dsimulation.traces=DIRECTORY} they are written to files there, for as many seeds as
 * {@code simulation.seeds} says, from {@code simulation.first} on.
 */
class TraceLinesTest {

    private static final LockKey KEY = new LockKey("k0", "default");

    private static List<String> traceOf(long seed) {
        TraceLines trace = new TraceLines(KEY);
        Outcome outcome = Simulation.run(seed, trace);
        assertThat(outcome.violation()).as("seed " + seed).isNull();
        return trace.lines();
    }

    @Test
    void tellsEverythingThatHappenedToOneLock() throws IOException {
        String directory = System.getProperty("simulation.traces");
        int seeds = directory == null ? 10 : Integer.getInteger("simulation.seeds", 100);
        long first = Long.getLong("simulation.first", 0);
        StringBuilder all = new StringBuilder();
        for (long seed = first; seed < first + seeds; seed++) {
            List<String> lines = traceOf(seed);
            assertThat(lines).allMatch(line -> line.startsWith("{\"event\":\"") && line.endsWith("}"));
            lines.forEach(line -> all.append(line).append('\n'));
            if (directory != null) {
                Files.createDirectories(Path.of(directory));
                Files.write(Path.of(directory, "seed-" + seed + ".ndjson"), lines);
            }
        }
        for (String event :
                List.of("Ask", "Grow", "Leave", "Rename", "Hear", "Grant", "Release", "Lose", "Begin", "End")) {
            assertThat(all).contains("{\"event\":\"" + event + "\"");
        }
    }

    @Test
    void whoWritesATraceChangesNothing() {
        assertThat(Simulation.run(3, new TraceLines(KEY)).history())
                .isEqualTo(Simulation.run(3).history());
    }
}
