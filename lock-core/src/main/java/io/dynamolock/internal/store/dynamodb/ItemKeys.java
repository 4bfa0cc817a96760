package io.dynamolock.internal.store.dynamodb;

import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The keys of items. The sort key of a lock contains a slash and that of a session none, so a lock never has the key of
 * a session, whatever key its user chooses.
 */
record ItemKeys(DynamoTableSettings settings) {

    private static final String SESSION_SORT_KEY = "session";

    Map<String, AttributeValue> lock(LockKey key) {
        return at(partition(key.key()), key.namespace() + "/");
    }

    Map<String, AttributeValue> session(SessionId id) {
        return at(partition(id), SESSION_SORT_KEY);
    }

    Map<String, AttributeValue> at(String partitionKey, String sortKey) {
        return Map.of(
                settings.partitionKeyAttribute(), AttributeValue.fromS(partitionKey),
                settings.sortKeyAttribute(), AttributeValue.fromS(sortKey));
    }

    /** The lock with the item at these keys; {@code null} if no lock of this store has an item there. */
    @Nullable
    LockKey lockAt(String partitionKey, String sortKey) {
        String prefix = settings.keyPrefix();
        int slash = sortKey.indexOf('/');
        return partitionKey.startsWith(prefix) && slash >= 0 && slash == sortKey.length() - 1
                ? new LockKey(partitionKey.substring(prefix.length()), sortKey.substring(0, slash))
                : null;
    }

    String partition(String key) {
        return settings.keyPrefix() + key;
    }

    String partition(SessionId id) {
        return settings.keyPrefix() + "session#" + id;
    }
}
