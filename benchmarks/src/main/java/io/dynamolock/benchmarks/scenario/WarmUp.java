package io.dynamolock.benchmarks.scenario;

import io.dynamolock.benchmarks.load.Contention;
import io.dynamolock.benchmarks.load.ContentionRun;
import io.dynamolock.benchmarks.peer.Peer;
import java.time.Duration;

/** Unmeasured work, so that the first measurement does not pay for a cold JVM and a cold database. */
public final class WarmUp {

    /** A cold JVM takes ten times as long for a call as a warm one, and more for a call with more code behind it. */
    private static final Duration LENGTH = Duration.ofSeconds(10);
    /** Several turns, because the first peers also warm up the code that all peers share. */
    private static final int PASSES = 3;

    private static final int THREADS = 16;

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
                                Contention.onFreeLocks(
                                        THREADS,
                                        (thread, turn) -> prefix + thread,
                                        Duration.ZERO,
                                        bench.scaled(LENGTH))));
            }
        }
    }
}
