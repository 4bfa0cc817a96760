package io.dynamolock.internal.store.dynamodb;

import java.time.Duration;
import java.util.Set;

/**
 * The table of a store, and how it is used.
 *
 * @param tableName the table's name, or its ARN
 * @param keyPrefix prefix of every partition key that this store writes; may be empty. Applications that share a table
 *     do not meet each other's locks if no prefix of one is the beginning of another's
 * @param partitionKeyAttribute the name of the table's partition key, a string
 * @param sortKeyAttribute the name of the table's sort key, a string
 * @param ttlAttribute the attribute that the table's TTL uses
 * @param dataAttribute the attribute of a lock's item that contains the user's data
 * @param formatAttribute the attribute of an item that says its format, if that is a later one than this version's
 * @param retention how long after its last write an item stays at least, before TTL may remove it
 * @param callTimeout how long one call may take, except the first call of a session
 */
public record DynamoTableSettings(
        String tableName,
        String keyPrefix,
        String partitionKeyAttribute,
        String sortKeyAttribute,
        String ttlAttribute,
        String dataAttribute,
        String formatAttribute,
        Duration retention,
        Duration callTimeout) {

    /**
     * The attributes with fixed names in the items of locks and sessions. All configured names must differ from them.
     */
    public static final Set<String> OWN_ATTRIBUTES =
            Set.of("tail", "queue", "permits", "heartbeat", "lease", "owner", "heartbeatAt", "notices");
}
