package io.dynamolock.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.model.TraceCheck.Rejection;
import io.dynamolock.model.TraceCheck.Trace;
import io.dynamolock.simulation.Twist;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the engine does in the simulator is what the specification allows: {@code Trace.tla} says how. By command,
 * {@code -Dtrace.seeds} says how many seeds, {@code -Dtrace.first} which is the first.
 */
class TraceTest {

    private static final int SEEDS = Integer.getInteger("trace.seeds", 25);
    private static final long FIRST = Long.getLong("trace.first", 0);
    private static final int AT_ONCE = 40;
    private static final int MOST_LINES = 1_000;

    @TempDir
    private Path directory;

    @Test
    void everyTraceIsABehaviourOfTheSpecification() throws IOException {
        List<Rejection> rejections = new ArrayList<>();
        for (long first = FIRST; first < FIRST + SEEDS; first += AT_ONCE) {
            List<Trace> traces = new ArrayList<>();
            for (long seed = first; seed < Math.min(first + AT_ONCE, FIRST + SEEDS); seed++) {
                traces.add(Trace.of(seed, Twist.NONE, MOST_LINES));
            }
            Path own = Files.createDirectory(directory.resolve("from-" + first));
            rejections.addAll(TraceCheck.rejections(traces, own));
        }
        assertThat(rejections).isEmpty();
    }
}
