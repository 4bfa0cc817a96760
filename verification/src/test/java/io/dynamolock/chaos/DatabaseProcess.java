package io.dynamolock.chaos;

import io.dynamolock.internal.store.testing.EmbeddedDynamoDb;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/**
 * Starts, kills, restarts and freezes the database, which keeps its port and its data. Used by one thread at a time.
 */
final class DatabaseProcess {

    private static final Duration START_LIMIT = Duration.ofSeconds(90);

    private final Path data;
    private final Path log;
    private final int port;
    /** The present process, or the last one. */
    ChildProcess process;

    DatabaseProcess(Path data, Path log) {
        this.data = data;
        this.log = log;
        this.port = EmbeddedDynamoDb.freePort();
        start();
    }

    InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + port);
    }

    void kill() throws InterruptedException {
        process.kill();
    }

    /** Starts the database and waits until it answers. */
    void start() {
        process = ChildProcess.start(
                "database",
                List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"),
                DatabaseMain.class,
                log,
                port,
                data);
        try (DynamoDbAsyncClient client = Clients.impatient(endpoint())) {
            Awaitility.await("the database, see " + log)
                    .atMost(START_LIMIT)
                    .ignoreExceptions()
                    .until(() -> {
                        client.listTables().join();
                        return true;
                    });
        }
    }
}
