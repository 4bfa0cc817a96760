package io.dynamolock.test.embedded;

import io.dynamolock.spring.autoconfigure.EmbeddedStore;
import java.net.URI;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * DynamoDB Local inside this process, with its data in memory. Only processes on this machine can reach it. All regions
 * and credentials see the same tables. Thread-safe.
 */
public final class EmbeddedDynamoDb implements EmbeddedStore, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedDynamoDb.class);

    private final LoopbackServer server;

    private EmbeddedDynamoDb(LoopbackServer server) {
        this.server = server;
    }

    /**
     * Starts DynamoDB Local, which takes a second or two.
     *
     * @param port the port, or 0 for any free port
     * @throws EmbeddedDynamoDbException if {@code software.amazon.dynamodb:DynamoDBLocal}, which comes with this
     *     module, is missing, the port is taken, or DynamoDB Local does not run on this machine
     */
    public static EmbeddedDynamoDb start(int port) {
        try {
            EmbeddedDynamoDb started = new EmbeddedDynamoDb(LoopbackServer.start(port));
            LOG.info("DynamoDB Local runs in this process at {}, with its data in memory", started.endpoint());
            return started;
        } catch (LinkageError e) {
            throw new EmbeddedDynamoDbException(
                    "DynamoDB Local is not on the class path, or not in a version that can be started from here: " + e,
                    "It comes with io.dynamolock:lock-spring-boot-test, in a version that fits: do not exclude"
                            + " software.amazon.dynamodb:DynamoDBLocal from it, nor ask for another version, or set"
                            + " dynamolock.store to dynamodb or memory.",
                    e);
        }
    }

    /** The address at which it listens, as in {@code http://localhost:8000}. */
    @Override
    public URI endpoint() {
        return URI.create("http://localhost:" + port());
    }

    /** The port it listens on. */
    public int port() {
        return server.port();
    }

    /** Stops DynamoDB Local and forgets its data. Idempotent. */
    @Override
    public void close() {
        server.stop();
    }
}
