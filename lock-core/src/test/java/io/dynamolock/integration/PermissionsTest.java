package io.dynamolock.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.internal.store.testing.EmbeddedDynamoDb;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;

/** The policy in docs/configuration.md is enough for all that a process does with its locks. */
class PermissionsTest {

    /** Partition keys of what is deleted or read in batches. */
    private final List<String> limited = new CopyOnWriteArrayList<>();

    private final Set<String> operations = ConcurrentHashMap.newKeySet();

    private final class Recorder implements ExecutionInterceptor {

        @Override
        public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
            operations.add(context.request().getClass().getSimpleName().replace("Request", ""));
            if (context.request() instanceof DeleteItemRequest delete) {
                limited.add(delete.key().get("pk").s());
            } else if (context.request() instanceof BatchGetItemRequest batch) {
                batch.requestItems().values().stream()
                        .flatMap(items -> items.keys().stream())
                        .forEach(key -> limited.add(key.get("pk").s()));
            }
        }
    }

    @Test
    void onlySessionsAreDeletedOrReadInBatchesAndNothingElseIsAskedFor() throws Exception {
        LockTableFixture table = new LockTableFixture();
        DynamoDbClient client = EmbeddedDynamoDb.blockingClientAt(EmbeddedDynamoDb.endpoint())
                .overrideConfiguration(settings -> settings.addExecutionInterceptor(new Recorder()))
                .build();
        try (client;
                LockRegistry locks = table.registry(client).keyPrefix("orders#").build();
                LockRegistry others =
                        table.registry(client).keyPrefix("orders#").build()) {
            LockHandle held = locks.acquire(LockRequest.of("k"));
            CompletableFuture<LockHandle> next = others.acquireAsync(LockRequest.of("k"));
            await().until(() -> locks.admin().inspect("k").queue().size() == 1);
            others.admin()
                    .evict(
                            "k",
                            "default",
                            locks.admin().inspect("k").holder().orElseThrow().id());
            assertThat(held.isValid()).isFalse();
            next.get(1, TimeUnit.MINUTES).close();
            locks.readWrite("shared").read().acquire(LockTableFixture.LONG).close();
            locks.admin().table().orElseThrow().check();
        }

        assertThat(limited).isNotEmpty().allMatch(key -> key.startsWith("orders#session#"));
        assertThat(operations)
                .containsExactlyInAnyOrder(
                        "UpdateItem", "GetItem", "DeleteItem", "BatchGetItem", "DescribeTable", "DescribeTimeToLive");
    }
}
