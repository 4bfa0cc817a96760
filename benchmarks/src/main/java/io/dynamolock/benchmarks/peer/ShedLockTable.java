package io.dynamolock.benchmarks.peer;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

/**
 * What ShedLock documents of its DynamoDB provider, on ShedLock's own interface: an update on condition that the lock's
 * end lies in the past, and a release that sets the end to now without a condition. Ours stands in for the original,
 * which could not be had; it makes the same calls.
 */
final class ShedLockTable implements LockProvider {

    private final DynamoDbClient client;
    private final String table;
    private final String owner;

    ShedLockTable(DynamoDbClient client, String table, String owner) {
        this.client = client;
        this.table = table;
        this.owner = owner;
    }

    @Override
    public Optional<SimpleLock> lock(LockConfiguration configuration) {
        try {
            client.updateItem(update -> update.tableName(table)
                    .key(key(configuration))
                    .conditionExpression("attribute_not_exists(lockUntil) OR lockUntil <= :now")
                    .updateExpression("SET lockUntil = :until, lockedAt = :now, lockedBy = :owner")
                    .expressionAttributeValues(Map.of(
                            ":now", time(Instant.now()),
                            ":until", time(configuration.getLockAtMostUntil()),
                            ":owner", AttributeValue.fromS(owner))));
            return Optional.of(new Held(configuration));
        } catch (ConditionalCheckFailedException taken) {
            return Optional.empty();
        }
    }

    private static Map<String, AttributeValue> key(LockConfiguration configuration) {
        return Map.of("_id", AttributeValue.fromS(configuration.getName()));
    }

    /** Of even length, so that texts compare like times. */
    private static AttributeValue time(Instant instant) {
        return AttributeValue.fromS(String.format("%013d", instant.toEpochMilli()));
    }

    private final class Held extends AbstractSimpleLock {

        Held(LockConfiguration configuration) {
            super(configuration);
        }

        @Override
        protected void doUnlock() {
            client.updateItem(update -> update.tableName(table)
                    .key(key(lockConfiguration))
                    .updateExpression("SET lockUntil = :until")
                    .expressionAttributeValues(Map.of(":until", time(lockConfiguration.getUnlockTime()))));
        }
    }
}
