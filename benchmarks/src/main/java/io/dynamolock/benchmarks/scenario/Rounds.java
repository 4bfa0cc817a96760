package io.dynamolock.benchmarks.scenario;

import io.dynamolock.benchmarks.load.Contention;
import io.dynamolock.benchmarks.load.ContentionResult;
import io.dynamolock.benchmarks.load.ContentionRun;
import io.dynamolock.benchmarks.peer.Peer;
import io.dynamolock.benchmarks.report.Metric;
import io.dynamolock.benchmarks.report.Table;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * The same contention for every peer, in rounds, so that a slow minute of the machine does not affect one peer alone.
 */
final class Rounds {

    private final Map<Peer, List<ContentionResult>> results = new LinkedHashMap<>();

    private Rounds() {}

    /** @param work the contention of each round; rounds must not share keys */
    static Rounds of(Bench bench, String what, IntFunction<Contention> work) throws InterruptedException {
        Rounds rounds = new Rounds();
        for (int round = 0; round < bench.rounds(); round++) {
            for (Peer peer : inTurn(bench.peers(), round)) {
                Contention contention = work.apply(round);
                bench.attempt(
                                what + ", round " + (round + 1),
                                peer,
                                () -> ContentionRun.of(peer, bench.database(), bench.table(peer), contention))
                        .ifPresent(result -> rounds.results
                                .computeIfAbsent(peer, p -> new ArrayList<>())
                                .add(result));
            }
        }
        return rounds;
    }

    /** The order changes, so that no peer is always the first, or always behind the same one. */
    private static List<Peer> inTurn(List<Peer> peers, int round) {
        List<Peer> inTurn = new ArrayList<>(peers);
        Collections.rotate(inTurn, -round / 2);
        if (round % 2 == 1) {
            Collections.reverse(inTurn);
        }
        return inTurn;
    }

    Table table(Bench bench, String title, Column... columns) {
        Table table = new Table(title, Stream.of(columns).map(Column::metric).toArray(Metric[]::new));
        for (Peer peer : bench.peers()) {
            table.row(
                    peer.title(),
                    Stream.of(columns)
                            .mapToDouble(column -> column.figure().applyAsDouble(this, peer))
                            .toArray());
        }
        return table;
    }

    /** The median of a figure over the rounds; the mean if there are two. Rounds without a figure do not count. */
    double median(Peer peer, ToDoubleFunction<ContentionResult> figure) {
        double[] sorted = results.getOrDefault(peer, List.of()).stream()
                .mapToDouble(figure)
                .filter(Double::isFinite)
                .sorted()
                .toArray();
        return sorted.length == 0 ? Double.NaN : (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    /** The largest of a count over the rounds; not a number if there is none. */
    double max(Peer peer, ToDoubleFunction<ContentionResult> count) {
        return results.getOrDefault(peer, List.of()).stream()
                .mapToDouble(count)
                .max()
                .orElse(Double.NaN);
    }

    /** The sum of a count over the rounds; not a number if there is none. */
    double sum(Peer peer, ToDoubleFunction<ContentionResult> count) {
        return results.containsKey(peer)
                ? results.get(peer).stream().mapToDouble(count).sum()
                : Double.NaN;
    }
}
