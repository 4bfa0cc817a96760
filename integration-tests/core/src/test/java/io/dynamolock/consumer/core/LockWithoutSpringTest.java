package io.dynamolock.consumer.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

class LockWithoutSpringTest {

    @Test
    void aLockIsTakenAndReleasedWithNothingButTheCore() {
        try (LockRegistry locks = RegistryBuilder.of(new InMemoryLockStore()).build()) {
            try (LockHandle handle = locks.acquire("customer:42", Duration.ofSeconds(30))) {
                assertTrue(handle.isValid());
                assertTrue(handle.fencingToken() > 0);
            }
            assertTrue(locks.tryAcquire("customer:42").map(LockHandle::release).orElse(false));
        }
    }

    /**
     * The client that the core brings can be built and called: everything it needs is on the class path, in one
     * version.
     */
    @Test
    void theSdkThatItBringsIsWhole() {
        try (DynamoDbClient client = DynamoDbClient.builder()
                .region(Region.EU_WEST_1)
                .endpointOverride(URI.create("http://127.0.0.1:1"))
                .credentialsProvider(AnonymousCredentialsProvider.create())
                .build()) {
            assertEquals("dynamodb", client.serviceName());
            assertThrows(SdkClientException.class, client::listTables);
        }
    }

    @Test
    void nothingOfSpringIsThere() {
        assertThrows(ClassNotFoundException.class, () -> Class.forName("org.springframework.core.SpringVersion"));
    }
}
