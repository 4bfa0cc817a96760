package io.dynamolock.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.store.testing.EmbeddedDynamoDb;
import io.dynamolock.lockingread.LockedItem;
import io.dynamolock.lockingread.LockingTable;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbBean;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbPartitionKey;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** What a locking read costs, in calls on the wire. */
class LockingReadCostTest {

    private static final Duration LEASE = Duration.ofMinutes(10);
    private static final Key KEY = Key.builder().partitionValue("42").build();

    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final DynamoDbClient client = EmbeddedDynamoDb.blockingClientAt(EmbeddedDynamoDb.endpoint())
            .overrideConfiguration(override -> override.addExecutionInterceptor(new ExecutionInterceptor() {
                @Override
                public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
                    calls.add(context.request().getClass().getSimpleName());
                }
            }))
            .build();
    private final DynamoDbTable<Account> table = DynamoDbEnhancedClient.builder()
            .dynamoDbClient(client)
            .build()
            .table("accounts-" + UUID.randomUUID(), TableSchema.fromBean(Account.class));
    private final LockingTable<Account> mine =
            LockingTable.builder(client, table).owner("me").build();
    private final LockingTable<Account> others =
            LockingTable.builder(client, table).owner("another").build();

    @BeforeEach
    void createTable() {
        table.createTable();
        table.putItem(new Account("42", 5));
        calls.clear();
    }

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void aSectionCostsTwoWritesAndAnExtensionOne() {
        try (LockedItem<Account> locked = mine.lockAndRead(KEY, LEASE).orElseThrow()) {
            assertCosts(1);
            locked.extend(LEASE);
            assertCosts(2);
            locked.updateAndRelease(new Account("42", locked.item().getTotal() + 1));
        }

        assertCosts(3);
        assertThat(table.getItem(KEY).getTotal()).isEqualTo(6);
    }

    @Test
    void eachTryCostsAWriteWhileAnotherHasTheItem() {
        try (LockedItem<Account> held = others.lockAndRead(KEY, LEASE).orElseThrow()) {
            calls.clear();

            for (int tries = 1; tries <= 2; tries++) {
                assertThat(mine.lockAndRead(KEY, LEASE)).isEmpty();
                assertCosts(tries);
            }
            assertThat(held.item().getTotal()).isEqualTo(5);
        }
    }

    /** Writes, and nothing else. */
    private void assertCosts(int writes) {
        assertThat(calls).hasSize(writes).containsOnly("UpdateItemRequest");
    }

    @DynamoDbBean
    public static class Account {

        private String id = "";
        private long total;

        public Account() {}

        Account(String id, long total) {
            this.id = id;
            this.total = total;
        }

        @DynamoDbPartitionKey
        public String getId() {
            return id;
        }

        public void setId(String id) {
            this.id = id;
        }

        public long getTotal() {
            return total;
        }

        public void setTotal(long total) {
            this.total = total;
        }
    }
}
