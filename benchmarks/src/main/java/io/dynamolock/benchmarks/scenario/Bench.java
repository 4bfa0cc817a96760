package io.dynamolock.benchmarks.scenario;

import io.dynamolock.benchmarks.database.Database;
import io.dynamolock.benchmarks.peer.Peer;
import io.dynamolock.benchmarks.peer.Peers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What all scenarios measure, on what, and for how long.
 *
 * @param factor multiplies how long they measure; less than 1 is for trying them out
 * @param size multiplies how many locks and waiters the large scenarios have
 * @param rounds how often the peers take turns; figures are the medians of the rounds
 * @param runId makes the names of tables and locks new ones
 */
public record Bench(Database database, List<Peer> peers, double factor, double size, int rounds, String runId) {

    /** Ours, if it is measured at all: only then there is something to hold against the targets. */
    Optional<Peer> ours() {
        return peers.stream().filter(Peers::isOurs).findFirst();
    }

    List<Peer> others() {
        return peers.stream().filter(peer -> !Peers.isOurs(peer)).toList();
    }

    public Duration scaled(Duration duration) {
        return Duration.ofNanos((long) (duration.toNanos() * factor));
    }

    public int sized(int count) {
        return Math.max(1, (int) (count * size));
    }

    public String table(Peer peer) {
        return "lock-benchmark-" + peer.id() + "-" + runId;
    }

    /** Tells whoever watches what is going on. */
    public void progress(String what) {
        System.err.println("  " + what);
    }
}
