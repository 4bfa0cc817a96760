package io.dynamolock.test.embedded;

import java.io.IOException;
import java.net.BindException;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.ContextHandler;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBRequestHandler;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBServerHandler;
import software.amazon.dynamodb.services.local.shared.access.sqlite.SQLiteLibraryLoader;

/**
 * DynamoDB Local's request handler on another web server: its own server would listen on every network interface, could
 * not tell which free port it chose, and would report its start to AWS. While it runs, a thread of its database keeps
 * the process alive.
 */
final class LoopbackServer {

    private static final Logger LOG = LoggerFactory.getLogger(LoopbackServer.class);
    private static final String LOOPBACK = "127.0.0.1";

    private final Server server;
    private final ServerConnector connector;
    private final LocalDynamoDBServerHandler dynamoDb;

    private LoopbackServer(Server server, ServerConnector connector, LocalDynamoDBServerHandler dynamoDb) {
        this.server = server;
        this.connector = connector;
        this.dynamoDb = dynamoDb;
    }

    static LoopbackServer start(int port) {
        QueuedThreadPool threads = new QueuedThreadPool();
        threads.setName("dynamodb-local");
        threads.setDaemon(true);
        Server server = new Server(threads);
        ServerConnector connector = new ServerConnector(server);
        connector.setHost(LOOPBACK);
        connector.setPort(port);
        server.addConnector(connector);
        LocalDynamoDBServerHandler dynamoDb = handler(port);
        server.setHandler(new ContextHandler(dynamoDb, "/"));
        LoopbackServer started = new LoopbackServer(server, connector, dynamoDb);
        try {
            server.start();
        } catch (Exception e) {
            started.stop();
            throw failure(port, e);
        }
        return started;
    }

    private static LocalDynamoDBServerHandler handler(int port) {
        boolean inMemory = true;
        boolean sharedByAllCredentialsAndRegions = true;
        boolean tablesTakeTimeToCreate = false;
        String noFile = null;
        try {
            // Otherwise the library is loaded by the first request, and a failure would look like an outage.
            SQLiteLibraryLoader.initialize();
            return new LocalDynamoDBServerHandler(
                    new LocalDynamoDBRequestHandler(
                            port, inMemory, noFile, sharedByAllCredentialsAndRegions, tablesTakeTimeToCreate),
                    null);
        } catch (Exception | LinkageError e) {
            throw failure(port, e);
        }
    }

    int port() {
        return connector.getLocalPort();
    }

    void stop() {
        try {
            server.stop();
        } catch (Exception e) {
            LOG.warn("DynamoDB Local did not stop as it should", e);
        } finally {
            dynamoDb.close();
        }
    }

    private static EmbeddedDynamoDbException failure(int port, Throwable cause) {
        if (isPortTaken(cause)) {
            return new EmbeddedDynamoDbException(
                    "DynamoDB Local cannot listen on port " + port + ": it is in use.",
                    "Set dynamolock.embedded.port to another port, or to 0 for any free one. If it is the DynamoDB"
                            + " Local of another instance that you want to share, set dynamolock.store=dynamodb and"
                            + " dynamolock.aws.endpoint=http://localhost:" + port + " instead.",
                    cause);
        }
        return new EmbeddedDynamoDbException(
                "DynamoDB Local did not start: " + cause,
                "Its native library must exist for this machine (" + System.getProperty("os.name") + ", "
                        + System.getProperty("os.arch")
                        + "), and the directory for temporary files must be writable. Or run"
                        + " the image amazon/dynamodb-local and set dynamolock.aws.endpoint to it.",
                cause);
    }

    private static boolean isPortTaken(@Nullable Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof BindException
                    || cause instanceof IOException
                            && String.valueOf(cause.getMessage()).contains("bind")) {
                return true;
            }
        }
        return false;
    }
}
