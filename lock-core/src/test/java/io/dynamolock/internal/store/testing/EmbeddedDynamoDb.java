package io.dynamolock.internal.store.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClientBuilder;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;
import software.amazon.dynamodb.services.local.main.ServerRunner;

/** DynamoDB Local in this JVM: one server, and one client of each kind, for all tests, started at the first use. */
public final class EmbeddedDynamoDb {

    private EmbeddedDynamoDb() {}

    /** Where any client can reach it. */
    public static URI endpoint() {
        return Running.ENDPOINT;
    }

    /** A client for all tests; nobody closes it. */
    public static DynamoDbAsyncClient client() {
        return Running.CLIENT;
    }

    /** A builder of a client for a DynamoDB that checks neither region nor credentials. */
    public static DynamoDbAsyncClientBuilder clientAt(URI endpoint) {
        return DynamoDbAsyncClient.builder()
                .endpointOverride(endpoint)
                .region(Region.EU_CENTRAL_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")));
    }

    /** A client that blocks, for all tests; nobody closes it. */
    public static DynamoDbClient blockingClient() {
        return Running.BLOCKING_CLIENT;
    }

    /** As {@link #clientAt}, for a client that blocks. */
    public static DynamoDbClientBuilder blockingClientAt(URI endpoint) {
        return DynamoDbClient.builder()
                .endpointOverride(endpoint)
                .region(Region.EU_CENTRAL_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
                .httpClientBuilder(Apache5HttpClient.builder());
    }

    /** A port that nobody listens at. */
    public static int freePort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class Running {

        static final URI ENDPOINT = start();
        static final DynamoDbAsyncClient CLIENT = clientAt(ENDPOINT).build();
        static final DynamoDbClient BLOCKING_CLIENT = blockingClientAt(ENDPOINT).build();

        private static URI start() {
            try {
                int port = freePort();
                ServerRunner.createServerFromCommandLineArgs(new String[] {
                            "-inMemory", "-sharedDb", "-disableTelemetry", "-port", Integer.toString(port)
                        })
                        .start();
                return URI.create("http://localhost:" + port);
            } catch (Exception failure) {
                throw new IllegalStateException("DynamoDB Local did not start", failure);
            }
        }
    }
}
