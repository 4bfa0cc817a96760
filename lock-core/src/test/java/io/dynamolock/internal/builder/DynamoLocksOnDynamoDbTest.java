package io.dynamolock.internal.builder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRegistryBuilder;
import io.dynamolock.LockRequest;
import io.dynamolock.internal.store.testing.EmbeddedDynamoDb;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The builder's settings of the table reach the table. */
class DynamoLocksOnDynamoDbTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final String name = "locks-" + UUID.randomUUID();
    private final LockRegistryBuilder builder = RegistryBuilder.of(EmbeddedDynamoDb.client())
            .tableName(name)
            .keyPrefix("lock#")
            .partitionKeyAttribute("PK")
            .sortKeyAttribute("SK")
            .ttlAttribute("ttl")
            .owner("orders@here");

    @AfterEach
    void deleteTable() {
        builder.table().delete();
    }

    @Test
    void locksKeysAndNamespacesUpToTheLimitsAndNoLonger() {
        builder.table().create();
        String key = "k".repeat(2_048 - "lock#".length());
        String namespace = "n".repeat(1_023);

        try (LockRegistry locks = builder.build();
                LockRegistry others = builder.build();
                LockHandle handle = locks.acquire(LockRequest.of(key).namespace(namespace))) {
            assertThat(handle.isValid()).isTrue();
            // Waits in the queue, so that the longest possible item is written again.
            assertThat(others.tryAcquire(
                            LockRequest.of(key).namespace(namespace).waitTime(Duration.ofMillis(500))))
                    .isEmpty();
            assertThatIllegalArgumentException().isThrownBy(() -> locks.acquire(key + "k", MINUTE));
        }
    }

    @Test
    @Timeout(60)
    void inspectionsThatBlockLeaveAThreadForAnAcquisition() throws InterruptedException {
        builder.table().create();
        CountDownLatch blocking = new CountDownLatch(4);
        CountDownLatch answered = new CountDownLatch(1);
        DynamoDbClient answersReadsLate = (DynamoDbClient) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DynamoDbClient.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("getItem")) {
                        blocking.countDown();
                        answered.await();
                    }
                    return method.invoke(EmbeddedDynamoDb.blockingClient(), arguments);
                });
        ExecutorService people = Executors.newFixedThreadPool(20);
        try (LockRegistry locks = RegistryBuilder.of(answersReadsLate)
                .tableName(name)
                .partitionKeyAttribute("PK")
                .sortKeyAttribute("SK")
                .ttlAttribute("ttl")
                .maxCallsInFlight(1)
                .callTimeout(Duration.ofSeconds(5))
                .build()) {
            for (int i = 0; i < 20; i++) {
                people.submit(() -> locks.admin().inspect("k"));
            }
            blocking.await();

            assertThat(locks.acquire("k", Duration.ofSeconds(20)).isValid()).isTrue();
        } finally {
            answered.countDown();
            people.shutdownNow();
        }
    }

    @Test
    void leavesTheClientOpenWhenARegistryIsClosed() {
        builder.table().create();
        LockRegistry locks = builder.build();
        locks.acquire("k", MINUTE);
        locks.close();

        assertThatCode(() -> builder.table().check()).doesNotThrowAnyException();
        try (LockRegistry next = builder.build()) {
            assertThat(next.acquire("k", MINUTE).isValid()).isTrue();
        }
    }
}
