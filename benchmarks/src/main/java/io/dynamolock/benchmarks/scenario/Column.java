package io.dynamolock.benchmarks.scenario;

import io.dynamolock.benchmarks.load.ContentionResult;
import io.dynamolock.benchmarks.peer.Peer;
import io.dynamolock.benchmarks.report.Metric;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;

/** A column of a table of rounds, and how to compute a peer's figure in it. */
record Column(Metric metric, ToDoubleBiFunction<Rounds, Peer> figure) {

    static Column median(Metric metric, ToDoubleFunction<ContentionResult> figure) {
        return new Column(metric, (rounds, peer) -> rounds.median(peer, figure));
    }

    static Column max(String label, ToDoubleFunction<ContentionResult> count) {
        return new Column(Metric.counted(label, 0), (rounds, peer) -> rounds.max(peer, count));
    }

    static Column sum(String label, ToDoubleFunction<ContentionResult> count) {
        return new Column(Metric.counted(label, 0), (rounds, peer) -> rounds.sum(peer, count));
    }

    static Column perSection(String what, int decimals, ToDoubleFunction<ContentionResult> figure) {
        return median(Metric.counted(what + " per section", decimals), figure);
    }
}
