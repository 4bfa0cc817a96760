package io.dynamolock.internal.store.dynamodb;

import static org.junit.jupiter.api.Assumptions.abort;

import io.dynamolock.internal.store.testing.EmbeddedDynamoDb;
import java.net.URI;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/**
 * On the container image that is published for DynamoDB Local. Skipped without Docker, unless the environment variable
 * {@code CI} is {@code true}: there it must run.
 */
class ContainerDynamoStoreTest extends DynamoStoreContract {

    private static final DockerImageName IMAGE =
            DockerImageName.parse(System.getProperty("dynamodb-local.image", "amazon/dynamodb-local"));
    private static final int PORT = 8000;

    private static GenericContainer<?> container;
    private static DynamoDbAsyncClient client;

    @BeforeAll
    static void startContainer() {
        if (!"true".equals(System.getenv("CI"))
                && !DockerClientFactory.instance().isDockerAvailable()) {
            String skipped = "SKIPPED ContainerDynamoStoreTest: there is no Docker here, so the store was not tested"
                    + " on the container of DynamoDB Local";
            System.err.println(skipped);
            abort(skipped);
        }
        // DynamoDB Local keeps string sets in its JVM's default encoding, which in the image need not be UTF-8.
        container = new GenericContainer<>(IMAGE)
                .withExposedPorts(PORT)
                .withEnv("JAVA_TOOL_OPTIONS", "-Dfile.encoding=UTF-8");
        container.start();
        client = EmbeddedDynamoDb.clientAt(
                        URI.create("http://" + container.getHost() + ":" + container.getMappedPort(PORT)))
                .build();
    }

    @AfterAll
    static void stopContainer() {
        if (client != null) {
            client.close();
        }
        if (container != null) {
            container.stop();
        }
    }

    @Override
    DynamoStore storeOn(DynamoTableSettings settings) {
        return new DynamoStore(client, settings, DynamoStore.SENDERS, CallThreads.pool());
    }

    @Override
    DynamoDbAsyncClient client() {
        return client;
    }
}
