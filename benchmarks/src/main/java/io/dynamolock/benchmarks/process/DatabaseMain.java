package io.dynamolock.benchmarks.process;

import io.dynamolock.test.embedded.EmbeddedDynamoDb;
import java.io.IOException;

/** DynamoDB Local in a JVM of its own, so that its threads and its heap are not taken for those of a lock. */
public final class DatabaseMain {

    private DatabaseMain() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        try (EmbeddedDynamoDb dynamoDb = EmbeddedDynamoDb.start(0)) {
            ChildJvm.serve(dynamoDb.endpoint().toString(), question -> "");
        }
        System.exit(0);
    }
}
