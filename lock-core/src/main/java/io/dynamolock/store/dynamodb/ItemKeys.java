package io.dynamolock.store.dynamodb;

import io.dynamolock.store.LockKey;
import io.dynamolock.store.SessionId;
import java.util.Map;
import java.util.Objects;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Where each item lies. Locks and rows have a slash in their sort key and sessions have none, so no key of a user's can
 * ever meet a session.
 */
final class ItemKeys {

    static final String SESSION_SORT_KEY = "session";

    /** As many digits as a DynamoDB number can have. */
    private static final int DIGITS = 38;

    private static final String HIGHEST_NUMBER = "9".repeat(DIGITS);

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

    String partition(LockKey key) {
        return settings.keyPrefix() + key.key();
    }

    String partition(SessionId id) {
        return settings.keyPrefix() + "session#" + id;
    }

    String lockSortKey(LockKey key) {
        return key.namespace() + "/";
    }

    String rowSortKey(LockKey key, long first) {
        return lockSortKey(key) + padded(first);
    }

    String highestRowSortKey(LockKey key) {
        return lockSortKey(key) + HIGHEST_NUMBER;
    }

    boolean isLock(Map<String, AttributeValue> item) {
        return Objects.requireNonNull(item.get(settings.sortKeyAttribute())).s().endsWith("/");
    }

    /** The first ticket of the block whose row has this sort key. */
    static long firstTicket(String rowSortKey) {
        return Long.parseLong(rowSortKey.substring(rowSortKey.length() - DIGITS));
    }

    private static String padded(long number) {
        String digits = Long.toString(number);
        return "0".repeat(DIGITS - digits.length()) + digits;
    }
}
