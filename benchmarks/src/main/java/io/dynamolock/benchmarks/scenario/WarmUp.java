package io.dynamolock.benchmarks.scenario;

import io.dynamolock.benchmarks.load.Contention;
import io.dynamolock.benchmarks.load.ContentionRun;
import io.dynamolock.benchmarks.peer.Peer;
import java.time.Duration;

/** Work that is not measured, so that the first that is does not pay for a cold JVM and a cold database. */
public final class WarmUp {

    private static final Duration LENGTH = Duration.ofSeconds(3);
    /** More than one, because the first peers warm up what all of them use. */
    private static final int PASSES = 2;

    private static final int THREADS = 8;

    private WarmUp() {}

    public static void run(Bench bench) throws InterruptedException {
        for (int pass = 0; pass < PASSES; pass++) {
            String prefix = "warm-up-" + pass + "-";
            for (Peer peer : bench.peers()) {
                bench.attempt(
                        "warm-up",
                        peer,
                        () -> ContentionRun.of(
                                peer,
                                bench.database(),
                                bench.table(peer),
                                new Contention(
                                        1,
                                        THREADS,
                                        thread -> prefix + thread,
                                        Duration.ZERO,
                                        Duration.ZERO,
                                        Duration.ZERO,
                                        bench.scaled(LENGTH))));
            }
        }
    }
}
