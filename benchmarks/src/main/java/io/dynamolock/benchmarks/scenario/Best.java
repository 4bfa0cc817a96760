package io.dynamolock.benchmarks.scenario;

import io.dynamolock.benchmarks.peer.Peer;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** The best figure among the peers that this project's lock is compared with. */
record Best(Peer peer, double figure) {

    /** Empty if there is nobody to compare with, or nobody has a figure. */
    static Optional<Best> lowest(Bench bench, ToDoubleFunction<Peer> figure) {
        return bench.others().stream()
                .map(peer -> new Best(peer, figure.applyAsDouble(peer)))
                .filter(best -> Double.isFinite(best.figure()))
                .min(Comparator.comparingDouble(Best::figure));
    }

    /** Empty if there is nobody to compare with, or nobody has a figure. */
    static Optional<Best> highest(Bench bench, ToDoubleFunction<Peer> figure) {
        return lowest(bench, peer -> -figure.applyAsDouble(peer)).map(best -> new Best(best.peer(), -best.figure()));
    }

    /** Not a number if there is no peer. */
    static double figureOf(Optional<Best> best) {
        return best.map(Best::figure).orElse(Double.NaN);
    }
}
