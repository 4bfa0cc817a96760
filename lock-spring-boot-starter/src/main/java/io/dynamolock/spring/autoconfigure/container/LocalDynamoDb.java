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

/** What answers as DynamoDB does in a container, known by the names under which its images are published. */
enum LocalDynamoDb {
    /**
     * Leaves region and credentials to the next source: it keeps the tables of each apart, and the application's clients
     * should see those of the locks.
     */
    DYNAMO_DB_LOCAL(8000, "amazon/dynamodb-local", "aws-dynamodb-local/aws-dynamodb-local"),
    /** Keeps the tables of each account and region apart, too. What it was not told is what its clients usually take. */
    LOCAL_STACK(4566, "localstack/localstack", "localstack/localstack-pro");

    private final int port;
    private final String[] images;

    LocalDynamoDb(int port, String... images) {
        this.port = port;
        this.images = images;
    }

    /** In the container. */
    int port() {
        return port;
    }

    String[] images() {
        return images.clone();
    }

    /**
     * @param port that leads to the port in the container
     * @param told the environment of the container
     */
    DynamoLockConnectionDetails at(String host, int port, Map<String, ? extends @Nullable String> told) {
        URI endpoint = URI.create("http://" + host + ":" + port);
        if (this == DYNAMO_DB_LOCAL) {
            return new Details(endpoint, null, null);
        }
        AwsCredentials credentials = AwsBasicCredentials.create(
                requireNonNullElse(told.get("AWS_ACCESS_KEY_ID"), "test"),
                requireNonNullElse(told.get("AWS_SECRET_ACCESS_KEY"), "test"));
        String region = requireNonNullElse(told.get("AWS_DEFAULT_REGION"), "us-east-1");
        return new Details(
                endpoint,
                requireNonNullElse(told.get("DEFAULT_REGION"), region),
                StaticCredentialsProvider.create(credentials));
    }

    private record Details(
            URI endpoint, @Nullable String region, @Nullable AwsCredentialsProvider credentials)
            implements DynamoLockConnectionDetails {}
}
