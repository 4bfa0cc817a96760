package io.dynamolock.spring.autoconfigure.container;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

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

    /** @param environment what the container was told, by name; null where it was told nothing */
    @Nullable
    String region(Function<String, @Nullable String> environment) {
        return told(environment, "DEFAULT_REGION", told(environment, "AWS_DEFAULT_REGION", "us-east-1"));
    }

    @Nullable
    String accessKeyId(Function<String, @Nullable String> environment) {
        return told(environment, "AWS_ACCESS_KEY_ID", "test");
    }

    @Nullable
    String secretAccessKey(Function<String, @Nullable String> environment) {
        return told(environment, "AWS_SECRET_ACCESS_KEY", "test");
    }

    private @Nullable String told(Function<String, @Nullable String> environment, String name, @Nullable String usual) {
        if (this == DYNAMO_DB_LOCAL) {
            return null;
        }
        String told = environment.apply(name);
        return told == null ? usual : told;
    }
}
