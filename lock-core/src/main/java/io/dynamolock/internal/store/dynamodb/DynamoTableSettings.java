package io.dynamolock.internal.store.dynamodb;

import java.time.Duration;
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

    /** What the lock's own items use; the names of the other attributes must be different. */
    public static final Set<String> OWN_ATTRIBUTES =
            Set.of("tail", "queue", "permits", "heartbeat", "lease", "owner", "heartbeatAt", "notices");
}
