package io.dynamolock.store.dynamodb;

import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SafeText;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.store.LockPage;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;

/**
 * The requests for many locks, and what their answers show. DynamoDB reads and charges all that lies under a key, or in the
 * table, and sends back what may be a lock.
 */
final class ListRequests {

    private static final Logger log = LoggerFactory.getLogger(ListRequests.class);

    /** Sessions have none, and a user's own items seldom. */
    private static final String MAY_BE_A_LOCK = "attribute_exists(tail)";

    private final DynamoTableSettings settings;
    private final ItemKeys keys;
    private final LockItems items;
    private final SentOnce sentOnce;

    ListRequests(DynamoTableSettings settings, ItemKeys keys, LockItems items, SentOnce sentOnce) {
        this.settings = settings;
        this.keys = keys;
        this.items = items;
        this.sentOnce = sentOnce;
    }

    QueryRequest of(String key, LockPage.@Nullable Mark after) {
        return QueryRequest.builder()
                .tableName(settings.tableName())
                .keyConditionExpression("#pk = :key")
                .filterExpression(MAY_BE_A_LOCK)
                .expressionAttributeNames(Map.of("#pk", settings.partitionKeyAttribute()))
                .expressionAttributeValues(Map.of(":key", AttributeValue.fromS(keys.partition(key))))
                .exclusiveStartKey(start(after))
                .overrideConfiguration(sentOnce.configuration())
                .build();
    }

    ScanRequest all(LockPage.@Nullable Mark after) {
        ScanRequest.Builder scan = ScanRequest.builder()
                .tableName(settings.tableName())
                .filterExpression(MAY_BE_A_LOCK)
                .exclusiveStartKey(start(after))
                .overrideConfiguration(sentOnce.configuration());
        if (!settings.keyPrefix().isEmpty()) {
            scan.filterExpression(MAY_BE_A_LOCK + " AND begins_with(#pk, :prefix)")
                    .expressionAttributeNames(Map.of("#pk", settings.partitionKeyAttribute()))
                    .expressionAttributeValues(Map.of(":prefix", AttributeValue.fromS(settings.keyPrefix())));
        }
        return scan.build();
    }

    /** Leaves out what is not as a step has left it, so that it hides no other lock; a look at it says what is wrong. */
    LockPage page(List<Map<String, AttributeValue>> found, Map<String, AttributeValue> lastEvaluated) {
        Map<LockKey, LockItem> locks = new LinkedHashMap<>();
        int leftOut = 0;
        for (Map<String, AttributeValue> item : found) {
            LockKey key = keys.lockAt(mark(item).partitionKey(), mark(item).sortKey());
            if (key != null) {
                try {
                    locks.put(key, items.read(item));
                } catch (MalformedItemException odd) {
                    leftOut++;
                    log.debug("The lock {} is left out of a list", SafeText.quote(key.toString()), odd);
                }
            }
        }
        if (leftOut > 0) {
            log.warn("{} locks are left out of a list: their items are not as the locks write them", leftOut);
        }
        return new LockPage(locks, lastEvaluated.isEmpty() ? null : mark(lastEvaluated));
    }

    private @Nullable Map<String, AttributeValue> start(LockPage.@Nullable Mark after) {
        if (after == null) {
            return null;
        }
        Map<String, AttributeValue> start = new HashMap<>();
        start.put(settings.partitionKeyAttribute(), AttributeValue.fromS(after.partitionKey()));
        start.put(settings.sortKeyAttribute(), AttributeValue.fromS(after.sortKey()));
        return start;
    }

    private LockPage.Mark mark(Map<String, AttributeValue> item) {
        return new LockPage.Mark(
                Objects.requireNonNull(item.get(settings.partitionKeyAttribute()))
                        .s(),
                Objects.requireNonNull(item.get(settings.sortKeyAttribute())).s());
    }
}
