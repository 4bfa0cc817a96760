package io.dynamolock.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.model.TraceCheck.Rejection;
import io.dynamolock.model.TraceCheck.Trace;
import io.dynamolock.simulation.Twist;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.LongStream;
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
        assertThat(rejectionsOf(LongStream.range(FIRST, FIRST + SEEDS))).isEmpty();
    }

    /** Seeds below zero have them. */
    @Test
    void everyTraceOfReadersWritersAndPermitsIsOneToo() throws IOException {
        assertThat(rejectionsOf(LongStream.range(FIRST, FIRST + SEEDS).map(seed -> -1 - seed)))
                .isEmpty();
    }

    private List<Rejection> rejectionsOf(LongStream seeds) throws IOException {
        List<Rejection> rejections = new ArrayList<>();
        Iterator<Long> each = seeds.iterator();
        while (each.hasNext()) {
            List<Trace> traces = new ArrayList<>();
            while (each.hasNext() && traces.size() < AT_ONCE) {
                traces.add(Trace.of(each.next(), Twist.NONE, MOST_LINES));
            }
            rejections.addAll(TraceCheck.rejections(traces, Files.createTempDirectory(directory, "traces")));
        }
        return rejections;
    }
}
