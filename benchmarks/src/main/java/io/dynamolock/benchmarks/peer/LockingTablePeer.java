package io.dynamolock.benchmarks.peer;

import io.dynamolock.benchmarks.database.CallMeter;
import io.dynamolock.benchmarks.database.Database;
import io.dynamolock.lockingread.ItemLockLostException;
import io.dynamolock.lockingread.ItemLockedException;
import io.dynamolock.lockingread.LockedItem;
import io.dynamolock.lockingread.LockingTable;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverterProvider;
import software.amazon.awssdk.enhanced.dynamodb.AttributeValueType;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.TableMetadata;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.document.EnhancedDocument;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The locking read of this project. Each section changes the item, as that of the hand-written peer does. */
final class LockingTablePeer implements Peer {

    private static final String KEY = "id";
    private static final Duration LEASE = Duration.ofSeconds(30);

    @Override
    public String id() {
        return "locking-table";
    }

    @Override
    public String title() {
        return "DynamoLock's locking read";
    }

    @Override
    public String setUp() {
        return "LockingTable of documents with its defaults, and lockAbsentItems(): a lease of 30 s, taken over by"
                + " observation, a try every 20 to 500 ms, less often the longer a caller has waited. A clean stop"
                + " releases what is held.";
    }

    @Override
    public List<String> keyAttributes() {
        return List.of(KEY);
    }

    @Override
    public LockProcess start(Database database, String table, String name, CallMeter meter) {
        DynamoDbClient client = database.client(meter);
        TableSchema<EnhancedDocument> schema = TableSchema.documentSchemaBuilder()
                .addIndexPartitionKey(TableMetadata.primaryIndexName(), KEY, AttributeValueType.S)
                .attributeConverterProviders(AttributeConverterProvider.defaultProvider())
                .build();
        LockingTable<EnhancedDocument> items = LockingTable.builder(
                        client,
                        DynamoDbEnhancedClient.builder()
                                .dynamoDbClient(client)
                                .build()
                                .table(table, schema))
                .owner(name)
                .lockAbsentItems()
                .build();
        return new Instance(client, items, ConcurrentHashMap.newKeySet());
    }

    private record Instance(DynamoDbClient client, LockingTable<EnhancedDocument> items, Set<LockedItem<?>> held)
            implements LockProcess {

        @Override
        public @Nullable HeldLock acquire(String key, Duration wait) {
            LockedItem<EnhancedDocument> locked;
            try {
                locked = items.lockAndRead(Key.builder().partitionValue(key).build(), LEASE, wait);
            } catch (ItemLockedException notInTime) {
                return null;
            }
            held.add(locked);
            return new Held(key, locked, held);
        }

        @Override
        public void close() {
            held.forEach(LockedItem::close);
            client.close();
        }
    }

    private record Held(String key, LockedItem<EnhancedDocument> locked, Set<LockedItem<?>> held)
            implements LockProcess.HeldLock {

        @Override
        public Optional<Boolean> saysHeld() {
            return Optional.of(locked.isValid());
        }

        @Override
        public boolean release() {
            held.remove(locked);
            EnhancedDocument changed = EnhancedDocument.builder()
                    .attributeConverterProviders(AttributeConverterProvider.defaultProvider())
                    .putString(KEY, key)
                    .putString("data", UUID.randomUUID().toString())
                    .build();
            try {
                locked.updateAndRelease(changed);
                return true;
            } catch (ItemLockLostException lost) {
                return false;
            }
        }
    }
}
