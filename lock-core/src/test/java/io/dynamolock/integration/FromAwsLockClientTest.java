package io.dynamolock.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.LockTimeoutException;
import io.dynamolock.data.LockData;
import io.dynamolock.internal.store.testing.EmbeddedDynamoDb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** What the AWS lock client's README shows, with these locks. */
class FromAwsLockClientTest {

    private final List<String> printed = new ArrayList<>();

    /** A try has a second, and the first calls of a cold virtual machine may need longer on a busy host. */
    @BeforeAll
    static void warmUp() {
        try (LockRegistry locks = new LockTableFixture().registry().build()) {
            locks.acquire("any", LockTableFixture.LONG).close();
        }
    }

    @Test
    void theExampleOfTheAwsLockClientRuns() {
        DynamoDbClient dynamoDb = EmbeddedDynamoDb.blockingClient();
        String table = "lockTable-" + UUID.randomUUID();
        LockRegistry.builder(dynamoDb).tableName(table).table().createIfMissing();

        try (LockRegistry locks = LockRegistry.builder(dynamoDb)
                .tableName(table)
                .lease(Duration.ofSeconds(10))
                .heartbeat(Duration.ofSeconds(3))
                .build()) {

            // Not to wait.
            Optional<LockHandle> lock = locks.tryAcquire("Moe");
            if (lock.isPresent()) {
                print("Acquired lock! If I die, my lock will expire in 10 seconds.");
                print("Otherwise, I will hold it until I close it.");
                lock.get().close();
            } else {
                print("Failed to acquire lock!");
            }

            // To wait for five seconds, and to store data with the lock.
            try (LockHandle moe = locks.acquire(
                    LockRequest.of("Moe").waitTime(Duration.ofSeconds(5)).data(LockData.of("Test Data")))) {
                moe.onExpiring(Duration.ofSeconds(2), () -> print("No heartbeat gets through: stop safely."));

                // To read the data, and the holder, without acquiring the lock.
                print(locks.admin().inspect("Moe").data().text());
                assertThat(locks.admin().inspect("Moe").holder()).isPresent();

                // Not to block when the lock is taken.
                assertThat(locks.tryAcquire("Moe")).isEmpty();
                try {
                    locks.acquire("Moe", Duration.ZERO);
                } catch (LockTimeoutException taken) {
                    print("Taken by " + (taken.holder().isPresent() ? "a process with a name" : "an unknown process"));
                }
            }

            // All locks, held or not.
            locks.admin()
                    .listAll()
                    .forEach(each -> print(each.key() + ": " + each.data().text()));
        }
        LockRegistry.builder(dynamoDb).tableName(table).table().delete();

        assertThat(printed)
                .containsExactly(
                        "Acquired lock! If I die, my lock will expire in 10 seconds.",
                        "Otherwise, I will hold it until I close it.",
                        "Test Data",
                        "Taken by a process with a name",
                        "Moe: Test Data");
    }

    private void print(String line) {
        printed.add(line);
    }
}
