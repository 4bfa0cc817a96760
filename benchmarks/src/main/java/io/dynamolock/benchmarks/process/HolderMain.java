package io.dynamolock.benchmarks.process;

import io.dynamolock.benchmarks.database.CallMeter;
import io.dynamolock.benchmarks.database.Database;
import io.dynamolock.benchmarks.peer.LockProcess;
import io.dynamolock.benchmarks.peer.Peer;
import io.dynamolock.benchmarks.peer.Peers;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import software.amazon.awssdk.regions.Region;

/** A process that holds a lock until something happens to it. It stops cleanly when it is asked to terminate. */
public final class HolderMain {

    private static final String HEAP = "96m";
    private static final Duration WAIT = Duration.ofSeconds(30);
    private static final String NO_ENDPOINT = "-";

    private HolderMain() {}

    /** Starts one, which holds the lock when this returns. */
    public static ChildJvm start(Database database, Peer peer, String table, String key) {
        return ChildJvm.start(
                HolderMain.class,
                HEAP,
                List.of(
                        database.endpoint().map(URI::toString).orElse(NO_ENDPOINT),
                        database.region().id(),
                        Boolean.toString(database.local()),
                        database.roundTrip().toString(),
                        peer.id(),
                        table,
                        key));
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Database database = new Database(
                arguments[0].equals(NO_ENDPOINT) ? Optional.empty() : Optional.of(URI.create(arguments[0])),
                Region.of(arguments[1]),
                Boolean.parseBoolean(arguments[2]),
                Duration.parse(arguments[3]));
        Peer peer = Peers.named(List.of(arguments[4])).get(0);
        String key = arguments[6];
        LockProcess process = peer.start(database, arguments[5], "holder-of-" + key, new CallMeter());
        Runtime.getRuntime().addShutdownHook(new Thread(process::close, "clean-stop"));
        Objects.requireNonNull(process.acquire(key, WAIT), "The lock was not free");
        ChildJvm.serve(key);
        Runtime.getRuntime().halt(0);
    }
}
