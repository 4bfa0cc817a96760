package io.dynamolock.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.model.TraceCheck.Rejection;
import io.dynamolock.model.TraceCheck.Trace;
import io.dynamolock.simulation.bugs.KnownBugs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The specification rejects what a changed condition makes the table or the engine do. With {@code -Dtrace.search=N} each
 * bug is looked for in so many seeds, and what is rejected is printed.
 */
class TraceTeethTest {

    private static final int SEARCH = Integer.getInteger("trace.search", 0);
    private static final int MOST_LINES = 500;

    /** @param rejected how the line begins that cannot be explained */
    private record Tooth(String bug, long seed, String rejected) {}

    private static final List<Tooth> TEETH = List.of(
            new Tooth("ask though the queue is full", 10, "Land"),
            new Tooth("ask if free though somebody holds the lock", 1, "Land"),
            new Tooth("ask though the entry is there", 1, "Land"),
            new Tooth("grow though others stand behind", 9, "Land"),
            new Tooth("a growth takes no tickets", 3, "Land"),
            new Tooth("leave whatever stands there", 13, "Land"),
            new Tooth("rename whatever is first", 23, "Land"),
            new Tooth("what is refused counts as done", 8, "Grant"),
            new Tooth("the tickets are those of an older look", 10, "Grant"),
            new Tooth("the first block looks gone", 1, "Grant"),
            new Tooth("sessions that live count as gone", 8, "Send"),
            new Tooth("every block is disputed", 9, "Send"),
            new Tooth("buried after half a lease", 3, "Send"),
            new Tooth("a new beat does not end the silence", 7, "Send"));

    @TempDir
    private Path directory;

    @Test
    void whatAChangedConditionDoesIsRejected() {
        List<Trace> traces = new ArrayList<>();
        for (Tooth tooth : TEETH) {
            LongStream seeds = SEARCH == 0 ? LongStream.of(tooth.seed()) : LongStream.range(0, SEARCH);
            seeds.forEach(seed -> traces.add(
                    Trace.of(seed, KnownBugs.twist(tooth.bug()), MOST_LINES).named(tooth.bug() + ", seed " + seed)));
        }
        List<Rejection> rejections = TraceCheck.rejections(traces, directory);
        if (SEARCH > 0) {
            rejections.forEach(
                    rejection -> System.out.println("| " + rejection.trace().name() + " | " + rejection.event()));
        }
        for (Tooth tooth : TEETH) {
            String found = rejections.stream()
                    .filter(rejection -> rejection.trace().name().startsWith(tooth.bug() + ","))
                    .map(Rejection::event)
                    .collect(Collectors.joining("\n"));
            assertThat(found).as(tooth.bug()).contains("[event |-> \"" + tooth.rejected() + "\"");
        }
    }
}
