package io.dynamolock.benchmarks.scenario;

import io.dynamolock.benchmarks.load.Contention;
import io.dynamolock.benchmarks.load.ContentionRun;
import io.dynamolock.benchmarks.peer.Peer;
import java.time.Duration;

/** Work that is not measured, so that the first that is does not pay for a cold JVM and a cold database. */
public final class WarmUp {

    private static final Duration LENGTH = Duration.ofSeconds(4);
    private static final int THREADS = 8;

    private WarmUp() {}

    public static void run(Bench bench) throws InterruptedException {
        for (Peer peer : bench.peers()) {
            bench.progress("warm-up: " + peer.id());
            ContentionRun.of(
                    peer,
                    bench.database(),
                    bench.table(peer),
                    new Contention(
                            1,
                            THREADS,
                            thread -> "warm-up-" + thread,
                            Duration.ZERO,
                            Duration.ZERO,
                            Duration.ZERO,
                            bench.scaled(LENGTH)));
        }
    }
}
