package io.dynamolock.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.LockSnapshot;
import io.dynamolock.LockStoreException;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.text.SafeText;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Somebody who may write into the table has put there what no process would: it harms nobody who wants another lock. */
class PoisonedItemsOnDynamoDbTest {

    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final SessionId POISONED = SessionId.of(1);
    private static final SessionId DEAD = SessionId.of(2);

    private final LockTableFixture table = new LockTableFixture();

    @ParameterizedTest
    @CsvSource({
        "lease, PT9223372036854775807S",
        "lease, PT-9223372036854775808S",
        "heartbeatAt, +1000000000-12-31T23:59:59.999999999Z",
        "heartbeatAt, 1969-12-31T23:59:59Z",
    })
    void aPoisonedSessionDoesNotStopTheTakeOverOfAnotherLock(String attribute, String poison) throws Exception {
        session(POISONED, Map.of(attribute, poison));
        session(DEAD, Map.of());
        queue("poisoned", List.of(POISONED + "1:1"));
        queue("orphaned", List.of(DEAD + "1:1"));
        try (LockRegistry registry = table.registry().lease(LEASE).build();
                LockRegistry operator = table.registry().build()) {
            CompletableFuture<LockHandle> poisoned =
                    registry.acquireAsync(LockRequest.of("poisoned").wait(LockTableFixture.LONG));
            CompletableFuture<LockHandle> orphaned = registry.acquireAsync(LockRequest.of("orphaned"));

            orphaned.get(LEASE.multipliedBy(10).toMillis(), TimeUnit.MILLISECONDS);

            assertThat(poisoned).as("its session does not count as absent").isNotDone();
            assertThat(operator.admin().inspect("poisoned").holder().map(LockSnapshot.Holder::owner))
                    .contains("unreadable");
            assertThat(operator.admin().listAll().map(LockSnapshot::key))
                    .containsExactlyInAnyOrder("poisoned", "orphaned");
            poisoned.cancel(true);
        }
    }

    @Test
    void anEntryOfAnyLengthFailsThatLockAloneWithAShortMessageOfOneLine() {
        queue("poisoned", List.of("0123456789\n2026-11-21 ERROR forged" + "x".repeat(300_000)));
        try (LockRegistry registry = table.registry().build()) {
            assertThatExceptionOfType(LockStoreException.class)
                    .isThrownBy(() -> registry.tryAcquire("poisoned"))
                    .satisfies(failure -> {
                        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
                            assertThat(SafeText.isPlain(cause.toString())).isTrue();
                            assertThat(cause.toString()).hasSizeLessThan(2_000);
                        }
                    });
            assertThat(registry.tryAcquire("another")).isPresent();
        }
    }

    @Test
    void theNameOfAHolderForgesNoLineOfALog() {
        session(DEAD, Map.of("owner", "web-1\n2026-11-21 ERROR \u202E" + "x".repeat(300_000)));
        queue("held", List.of(DEAD + "1:1"));
        try (LockRegistry registry = table.registry().build()) {
            assertThat(registry.admin().inspect("held").holder().orElseThrow().owner())
                    .isEqualTo("web-1\uFFFD2026-11-21 ERROR \uFFFD" + "x".repeat(232) + "...");
        }
    }

    /** One whose heartbeat was a moment ago, and was its last. */
    private void session(SessionId id, Map<String, String> changes) {
        Map<String, String> texts = new HashMap<>(Map.of(
                "pk",
                "session#" + id,
                "sk",
                "session",
                "lease",
                LEASE.toString(),
                "owner",
                "somebody",
                "heartbeatAt",
                Instant.now().toString()));
        texts.putAll(changes);
        Map<String, AttributeValue> item = new HashMap<>(Map.of("heartbeat", AttributeValue.fromN("7")));
        texts.forEach((name, text) -> item.put(name, AttributeValue.fromS(text)));
        table.put(item);
    }

    private void queue(String key, List<String> entries) {
        table.put(Map.of(
                "pk",
                AttributeValue.fromS(key),
                "sk",
                AttributeValue.fromS("default/"),
                "tail",
                AttributeValue.fromN("1000"),
                "queue",
                AttributeValue.fromL(entries.stream().map(AttributeValue::fromS).toList())));
    }
}
