package io.dynamolock.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.model.TraceCheck.Rejection;
import io.dynamolock.model.TraceCheck.Trace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** If a rule of the engine or the table is changed, the specification rejects a trace of one of the first few seeds. */
class TraceTeethTest {

    /** @param rejected text in the line that the specification does not allow */
    private record Tooth(String bug, String rejected) {}

    private static final List<Tooth> TEETH = List.of(
            new Tooth("an older item counts", "Send"),
            new Tooth("the first entry is not looked at", "Grant"),
            new Tooth("readers hold the lock behind a writer", "Grant"),
            new Tooth("tickets from an item without its tail", "Grant"),
            new Tooth("holders of one process are not held against each other", "Grant"),
            new Tooth("a grant while a reissue may land", "Grant"),
            new Tooth("the next grant before a fenced entry is out", "Grant"),
            new Tooth("a reissue revives used slots", "Grant"),
            new Tooth("an entry with a holder is taken out", "Send"),
            new Tooth("everybody ahead counts as dead", "Send"),
            new Tooth("the data of a release is forgotten when its entry goes", "Send"),
            new Tooth("take out whatever stands there", "Land"),
            new Tooth("append though the queue is full", "Land"),
            new Tooth("a removal or a reissue does not raise the tail", "Land"),
            new Tooth("an append raises the tail by one", "Land"),
            new Tooth("data is never cleared away by later data", "Land"));

    private static final long SEEDS = 30;

    @TempDir
    private Path directory;

    @Test
    void theSpecificationRejectsTheTracesOfEveryChangedRule() {
        List<Tooth> left = new ArrayList<>(TEETH);
        for (long seed = 0; seed < SEEDS && !left.isEmpty(); seed++) {
            long next = seed;
            List<Trace> traces =
                    left.stream().map(tooth -> Trace.of(next, tooth.bug())).toList();
            List<Rejection> rejections = TraceCheck.rejections(traces, directory);
            left.removeIf(tooth -> rejections.stream().anyMatch(rejection -> isBy(tooth, rejection)));
        }
        assertThat(left).as("not rejected").isEmpty();
    }

    private static boolean isBy(Tooth tooth, Rejection rejection) {
        return rejection.trace().name().startsWith(tooth.bug() + ",")
                && rejection.event().contains("[event |-> \"" + tooth.rejected() + "\"");
    }
}
