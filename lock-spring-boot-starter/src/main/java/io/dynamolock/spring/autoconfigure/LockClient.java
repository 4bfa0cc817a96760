package io.dynamolock.spring.autoconfigure;

import io.dynamolock.LockRegistry;
import io.dynamolock.LockRegistryBuilder;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The client that the locks go through, of either kind. */
sealed interface LockClient {

    /** A client bean with this name or qualifier is for the locks. */
    String NAME = "dynamoLockClient";

    /** The bean of the client that the starter builds. */
    String OWN = "dynamoLockDynamoDbClient";

    LockRegistryBuilder locks();

    ClientPlace place();

    /** Why it is this one. */
    String why();

    /** Each call costs less than on the other kind. */
    record Blocking(DynamoDbClient client, String why) implements LockClient {

        @Override
        public LockRegistryBuilder locks() {
            return LockRegistry.builder(client);
        }

        @Override
        public ClientPlace place() {
            try {
                return ClientPlace.of(client.serviceClientConfiguration());
            } catch (UnsupportedOperationException aClientThatDoesNotTell) {
                return ClientPlace.of(null);
            }
        }
    }

    /** For an application that has no other, or that names this one for the locks. */
    record Async(DynamoDbAsyncClient client, String why) implements LockClient {

        @Override
        public LockRegistryBuilder locks() {
            return LockRegistry.builder(client);
        }

        @Override
        public ClientPlace place() {
            try {
                return ClientPlace.of(client.serviceClientConfiguration());
            } catch (UnsupportedOperationException aClientThatDoesNotTell) {
                return ClientPlace.of(null);
            }
        }
    }
}
