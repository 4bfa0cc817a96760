package io.dynamolock.spring.autoconfigure.container;

import static java.util.Objects.requireNonNullElse;

import io.dynamolock.spring.autoconfigure.DynamoLockConnectionDetails;
import java.net.URI;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/** Stand-ins for DynamoDB in a container, known by the names of their images. */
enum LocalDynamoDb {
    /**
     * Leaves region and credentials to the next source of settings: DynamoDB Local keeps the tables of each pair apart,
     * and the clients of the application should see the tables of the locks.
     */
    DYNAMO_DB_LOCAL(8000, "amazon/dynamodb-local", "aws-dynamodb-local/aws-dynamodb-local"),
    /**
     * Keeps the tables of each account and region apart, too. Without settings in the container's environment, the
     * defaults are the values that clients of LocalStack usually have.
     */
    LOCAL_STACK(4566, "localstack/localstack", "localstack/localstack-pro");

    private final int port;
    private final String[] images;

    LocalDynamoDb(int port, String... images) {
        this.port = port;
        this.images = images;
    }

    /** The port inside the container. */
    int port() {
        return port;
    }

    String[] images() {
        return images.clone();
    }

    /**
     * @param port the port on the host that leads to the container
     * @param environment the environment of the container
     */
    DynamoLockConnectionDetails at(String host, int port, Map<String, ? extends @Nullable String> environment) {
        URI endpoint = URI.create("http://" + host + ":" + port);
        if (this == DYNAMO_DB_LOCAL) {
            return new Details(endpoint, null, null);
        }
        AwsCredentials credentials = AwsBasicCredentials.create(
                requireNonNullElse(environment.get("AWS_ACCESS_KEY_ID"), "test"),
                requireNonNullElse(environment.get("AWS_SECRET_ACCESS_KEY"), "test"));
        String region = requireNonNullElse(environment.get("AWS_DEFAULT_REGION"), "us-east-1");
        return new Details(
                endpoint,
                requireNonNullElse(environment.get("DEFAULT_REGION"), region),
                StaticCredentialsProvider.create(credentials));
    }

    private record Details(
            URI endpoint, @Nullable String region, @Nullable AwsCredentialsProvider credentials)
            implements DynamoLockConnectionDetails {}
}
