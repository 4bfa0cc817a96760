package io.dynamolock.store.dynamodb;

import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.store.LockPage;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Where each item lies. Locks have a slash in their sort key and sessions have none, so no key of a user's can
 * ever meet a session.
 */
final class ItemKeys {

    static final String SESSION_SORT_KEY = "session";
    private static final int MOST_BYTES_OF_PARTITION_KEY = 2_048;
    private static final int MOST_BYTES_OF_SORT_KEY = 1_024;

    private final DynamoTableSettings settings;

    ItemKeys(DynamoTableSettings settings) {
        this.settings = settings;
    }

    Map<String, AttributeValue> lock(LockKey key) {
        return Map.of(
                settings.partitionKeyAttribute(), AttributeValue.fromS(partition(key)),
                settings.sortKeyAttribute(), AttributeValue.fromS(lockSortKey(key)));
    }

    Map<String, AttributeValue> session(SessionId id) {
        return Map.of(
                settings.partitionKeyAttribute(), AttributeValue.fromS(partition(id)),
                settings.sortKeyAttribute(), AttributeValue.fromS(SESSION_SORT_KEY));
    }

    /** Whether DynamoDB can have an item of that lock. */
    boolean canBe(LockKey key) {
        return !partition(key).isEmpty()
                && bytes(partition(key)) <= MOST_BYTES_OF_PARTITION_KEY
                && bytes(lockSortKey(key)) <= MOST_BYTES_OF_SORT_KEY;
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** The lock that lies there; {@code null} if none of these locks can. */
    @Nullable
    LockKey lockAt(LockPage.Mark place) {
        String prefix = settings.keyPrefix();
        int slash = place.sortKey().indexOf('/');
        return place.partitionKey().startsWith(prefix)
                        && slash >= 0
                        && slash == place.sortKey().length() - 1
                ? new LockKey(
                        place.partitionKey().substring(prefix.length()),
                        place.sortKey().substring(0, slash))
                : null;
    }

    String partition(LockKey key) {
        return partition(key.key());
    }

    String partition(String key) {
        return settings.keyPrefix() + key;
    }

    String partition(SessionId id) {
        return settings.keyPrefix() + "session#" + id;
    }

    String lockSortKey(LockKey key) {
        return key.namespace() + "/";
    }
}
