package io.dynamolock.internal.store.dynamodb;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Where the locks lie, and how the store reaches them.
 *
 * @param tableName the table's name, or its ARN
 * @param keyPrefix begins every partition key this store writes; may be empty. Applications that share a table are
 *     apart if no prefix of theirs begins another one
 * @param partitionKeyAttribute the name of the table's partition key, a string
 * @param sortKeyAttribute the name of the table's sort key, a string
 * @param ttlAttribute the attribute the table's TTL is set on
 * @param dataAttribute the attribute of a lock's item that has the user's data
 * @param retention how long after its last write an item may be removed by TTL
 * @param callTimeout how long one call may take
 */
public record DynamoTableSettings(
        String tableName,
        String keyPrefix,
        String partitionKeyAttribute,
        String sortKeyAttribute,
        String ttlAttribute,
        String dataAttribute,
        Duration retention,
        Duration callTimeout) {

    public static final String DEFAULT_PARTITION_KEY = "pk";
    public static final String DEFAULT_SORT_KEY = "sk";
    public static final String DEFAULT_TTL_ATTRIBUTE = "expiresAt";
    public static final String DEFAULT_DATA_ATTRIBUTE = "data";

    private static final Set<String> OWN_ATTRIBUTES =
            Set.of("tail", "queue", "permits", "heartbeat", "lease", "owner", "heartbeatAt", "notices");

    /** @throws IllegalArgumentException if a name is empty or taken, or a duration is not positive */
    public DynamoTableSettings {
        Objects.requireNonNull(keyPrefix, "keyPrefix");
        requireText("tableName", tableName);
        requireFreeAttribute("partitionKeyAttribute", partitionKeyAttribute);
        requireFreeAttribute("sortKeyAttribute", sortKeyAttribute);
        requireFreeAttribute("ttlAttribute", ttlAttribute);
        requireFreeAttribute("dataAttribute", dataAttribute);
        List<String> names = List.of(partitionKeyAttribute, sortKeyAttribute, ttlAttribute, dataAttribute);
        if (new HashSet<>(names).size() < names.size()) {
            throw new IllegalArgumentException(
                    "partition key, sort key, TTL and data must be four attributes, not " + String.join(", ", names));
        }
        requirePositive("retention", retention);
        requirePositive("callTimeout", callTimeout);
    }

    /** With the usual attribute for data. */
    public DynamoTableSettings(
            String tableName,
            String keyPrefix,
            String partitionKeyAttribute,
            String sortKeyAttribute,
            String ttlAttribute,
            Duration retention,
            Duration callTimeout) {
        this(
                tableName,
                keyPrefix,
                partitionKeyAttribute,
                sortKeyAttribute,
                ttlAttribute,
                DEFAULT_DATA_ATTRIBUTE,
                retention,
                callTimeout);
    }

    private static void requireText(String setting, String value) {
        if (value.isBlank()) {
            throw new IllegalArgumentException(setting + " must not be empty");
        }
    }

    private static void requireFreeAttribute(String setting, String name) {
        requireText(setting, name);
        if (OWN_ATTRIBUTES.contains(name)) {
            throw new IllegalArgumentException(setting + " must not be \"" + name
                    + "\": the lock's items have an attribute of that name; choose another");
        }
    }

    private static void requirePositive(String setting, Duration value) {
        if (value.isZero() || value.isNegative()) {
            throw new IllegalArgumentException(setting + " must be positive, not " + value);
        }
    }
}
