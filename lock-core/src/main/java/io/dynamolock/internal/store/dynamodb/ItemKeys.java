package io.dynamolock.internal.store.dynamodb;

import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Where each item lies. Locks have a slash in their sort key and sessions have none, so no key of a user's can
 * ever meet a session.
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

    /** The lock that lies there; {@code null} if none of these locks can. */
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
