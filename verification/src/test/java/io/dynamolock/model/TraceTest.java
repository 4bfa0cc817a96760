package io.dynamolock.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.model.TraceCheck.Rejection;
import io.dynamolock.model.TraceCheck.Trace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * In the simulator, the engine does only what the specification allows; {@code Trace.tla} says how the two are
 * compared. {@code -Dtrace.seeds} sets the number of seeds, {@code -Dtrace.first} the first one.
 */
class TraceTest {

    private static final int SEEDS = Integer.getInteger("trace.seeds", 15);
    private static final long FIRST = Long.getLong("trace.first", 0);
    private static final int AT_ONCE = 10;

    @TempDir
    private Path directory;

    @Test
    void everyTraceIsABehaviourOfTheSpecification() throws IOException {
        List<Rejection> rejections = new ArrayList<>();
        for (long first = FIRST; first < FIRST + SEEDS; first += AT_ONCE) {
            List<Trace> traces = LongStream.range(first, Math.min(first + AT_ONCE, FIRST + SEEDS))
                    .mapToObj(Trace::of)
                    .toList();
            rejections.addAll(TraceCheck.rejections(traces, Files.createTempDirectory(directory, "traces")));
        }
        assertThat(rejections).isEmpty();
    }
}
