package io.dynamolock.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.dynamolock.model.TraceCheck.Rejection;
import io.dynamolock.model.TraceCheck.Trace;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The specification rejects what a changed rule makes the engine or the table do, with a seed that is known to show it. */
class TraceTeethTest {

    /** @param rejected the line that cannot be explained tells of this */
    private record Tooth(String bug, long seed, String rejected) {}

    private static final List<Tooth> TEETH = List.of(
            new Tooth("an older item counts", 0, "Send"),
            new Tooth("the first entry is not looked at", 2, "Grant"),
            new Tooth("readers hold the lock behind a writer", 0, "Grant"),
            new Tooth("tickets from an item without its tail", 0, "Grant"),
            new Tooth("holders of one process are not held against each other", 0, "Grant"),
            new Tooth("a grant while a reissue may land", 0, "Grant"),
            new Tooth("the next grant before a fenced entry is out", 0, "Grant"),
            new Tooth("a reissue revives used slots", 0, "Grant"),
            new Tooth("an entry with a holder is taken out", 0, "Send"),
            new Tooth("everybody ahead counts as dead", 1, "Send"),
            new Tooth("the data of a release is forgotten when its entry goes", 0, "Send"),
            new Tooth("take out whatever stands there", 3, "Land"),
            new Tooth("append though the queue is full", 3, "Land"),
            new Tooth("a removal or a reissue does not raise the tail", 0, "Land"),
            new Tooth("an append raises the tail by one", 0, "Land"),
            new Tooth("data is never cleared away by later data", 0, "Land"));

    @TempDir
    private Path directory;

    @Test
    void whatAChangedRuleDoesIsRejected() {
        List<Trace> traces =
                TEETH.stream().map(tooth -> Trace.of(tooth.seed(), tooth.bug())).toList();
        List<Rejection> rejections = TraceCheck.rejections(traces, directory);
        for (int i = 0; i < TEETH.size(); i++) {
            Trace trace = traces.get(i);
            assertThat(rejections)
                    .filteredOn(rejection -> rejection.trace() == trace)
                    .as(trace.name())
                    .singleElement()
                    .extracting(Rejection::event, STRING)
                    .contains("[event |-> \"" + TEETH.get(i).rejected() + "\"");
        }
    }
}
