package io.dynamolock.benchmarks.scenario;

import io.dynamolock.benchmarks.database.Database;
import io.dynamolock.benchmarks.peer.Peer;
import io.dynamolock.benchmarks.peer.Peers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The peers, the database and the durations of a run of the benchmarks.
 *
 * @param factor multiplies how long they measure; less than 1 is for trying them out
 * @param size multiplies how many locks and waiters the large scenarios have
 * @param rounds how often the peers take turns; figures are the medians of the rounds
 * @param runId makes the names of tables and locks new ones
 */
public record Bench(Database database, List<Peer> peers, double factor, double size, int rounds, String runId) {

    private static final Logger LOG = LoggerFactory.getLogger(Bench.class);

    /** This project's lock; empty if it is not measured, and then there is nothing to hold against the targets. */
    Optional<Peer> ours() {
        return peers.stream().filter(Peers::isOurs).findFirst();
    }

    List<Peer> others() {
        return peers.stream().filter(peer -> !Peers.isOurs(peer)).toList();
    }

    /** The same with some of the peers. */
    public Bench with(Predicate<Peer> chosen) {
        return new Bench(database, peers.stream().filter(chosen).toList(), factor, size, rounds, runId);
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

    /** A measurement with one peer. */
    interface Work<T> {

        T done() throws InterruptedException;
    }

    /** Empty if the peer failed. That must not cost the figures of the other peers. */
    <T> Optional<T> attempt(String what, Peer peer, Work<T> work) throws InterruptedException {
        progress(what + ": " + peer.id());
        try {
            return Optional.of(work.done());
        } catch (RuntimeException | LinkageError | OutOfMemoryError e) {
            LOG.error("{}: {} could not be measured", what, peer.id(), e);
            return Optional.empty();
        }
    }

    /** Prints the progress for whoever watches. */
    public void progress(String what) {
        System.err.println("  " + what);
    }
}
