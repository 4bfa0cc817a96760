package io.dynamolock.benchmarks.scenario;

import io.dynamolock.benchmarks.peer.Peer;
import io.dynamolock.benchmarks.report.Target;
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

    static final String THE_BEST_PEERS = "the best peer's";

    /**
     * A target for this project's figure, as a multiple of the best figure of its peers.
     *
     * @param whose that figure
     */
    static Target atMost(
            String what, double times, String whose, double ours, Optional<Best> best, String unit, int decimals) {
        return Target.atMost(
                what,
                times,
                ours / figureOf(best),
                times == 1 ? "no more than " + whose : "at most " + Words.limit(times) + " times " + whose,
                inWords(ours, best, unit, decimals));
    }

    /** As {@link #atMost}, if more is better. */
    static Target atLeast(
            String what, double times, String whose, double ours, Optional<Best> best, String unit, int decimals) {
        return Target.atLeast(
                what,
                times,
                ours / figureOf(best),
                "at least " + Words.limit(times) + " times " + whose,
                inWords(ours, best, unit, decimals));
    }

    private static String inWords(double ours, Optional<Best> best, String unit, int decimals) {
        return Words.number(ours, decimals)
                + unit
                + best.map(b -> "; " + b.peer().title() + " " + Words.number(b.figure(), decimals) + unit + ": ours is "
                                + Words.number(ours / b.figure(), 2) + " times that")
                        .orElse("");
    }

    /** Not a number if there is no peer. */
    static double figureOf(Optional<Best> best) {
        return best.map(Best::figure).orElse(Double.NaN);
    }
}
