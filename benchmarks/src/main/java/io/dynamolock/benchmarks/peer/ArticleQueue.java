package io.dynamolock.benchmarks.peer;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/** The calls of the article's queue: take a number, put a row with it, check whether the row is first, delete it. */
record ArticleQueue(DynamoDbClient client, String table) {

    static final Duration TIME_TO_LIVE = Duration.ofSeconds(60);
    private static final int PAGE = 100;
    private static final String NAMESPACE = "lock/";
    private static final Map<String, AttributeValue> COUNTER =
            Map.of("pk", AttributeValue.fromS("ticket-master"), "sk", AttributeValue.fromS("current"));

    String takeNumber() {
        while (true) {
            try {
                UpdateItemResponse counted = client.updateItem(update -> update.tableName(table)
                        .key(COUNTER)
                        .conditionExpression("attribute_exists(pk)")
                        .updateExpression("SET ticketNumber = ticketNumber + :one")
                        .expressionAttributeValues(Map.of(":one", AttributeValue.fromN("1")))
                        .returnValues(ReturnValue.UPDATED_NEW));
                String number = attribute(counted.attributes(), "ticketNumber").n();
                return NAMESPACE + String.format("%038d", Long.parseLong(number));
            } catch (ConditionalCheckFailedException noCounterYet) {
                beginToCount();
            }
        }
    }

    private void beginToCount() {
        try {
            client.putItem(put -> put.tableName(table)
                    .item(Map.of(
                            "pk", COUNTER.get("pk"),
                            "sk", COUNTER.get("sk"),
                            "ticketNumber", AttributeValue.fromN("0")))
                    .conditionExpression("attribute_not_exists(pk)"));
        } catch (ConditionalCheckFailedException another) {
            // Another process has made the counter.
            return;
        }
    }

    void enter(String key, String row) {
        client.putItem(put -> put.tableName(table)
                .item(Map.of(
                        "pk", AttributeValue.fromS(key),
                        "sk", AttributeValue.fromS(row),
                        "createdAt", seconds(Instant.now()),
                        "expiresAt", seconds(Instant.now().plus(TIME_TO_LIVE))))
                .conditionExpression("attribute_not_exists(pk)"));
    }

    /** Whether every row before this one has expired; deletes those. */
    boolean isFirst(String key, String row) {
        Map<String, AttributeValue> resumeAfter = Map.of();
        do {
            Map<String, AttributeValue> start = resumeAfter;
            QueryResponse page = client.query(query -> query.tableName(table)
                    .consistentRead(true)
                    .exclusiveStartKey(start.isEmpty() ? null : start)
                    .keyConditionExpression("pk = :pk AND begins_with(sk, :sk)")
                    .expressionAttributeValues(
                            Map.of(":pk", AttributeValue.fromS(key), ":sk", AttributeValue.fromS(NAMESPACE)))
                    .limit(PAGE));
            long now = Instant.now().getEpochSecond();
            for (Map<String, AttributeValue> found : page.items()) {
                String other = attribute(found, "sk").s();
                if (other.equals(row)) {
                    return true;
                }
                if (Long.parseLong(attribute(found, "expiresAt").n()) >= now) {
                    return false;
                }
                leave(key, other);
            }
            resumeAfter = page.lastEvaluatedKey();
        } while (!resumeAfter.isEmpty());
        return false;
    }

    /** @return whether the row was still there */
    boolean refresh(String key, String row) {
        try {
            client.updateItem(update -> update.tableName(table)
                    .key(keyOf(key, row))
                    .conditionExpression("attribute_exists(pk)")
                    .updateExpression("SET expiresAt = :end")
                    .expressionAttributeValues(
                            Map.of(":end", seconds(Instant.now().plus(TIME_TO_LIVE)))));
            return true;
        } catch (ConditionalCheckFailedException gone) {
            return false;
        }
    }

    void leave(String key, String row) {
        client.deleteItem(delete -> delete.tableName(table).key(keyOf(key, row)));
    }

    private static AttributeValue attribute(Map<String, AttributeValue> item, String name) {
        return Objects.requireNonNull(item.get(name), name);
    }

    private static Map<String, AttributeValue> keyOf(String key, String row) {
        return Map.of("pk", AttributeValue.fromS(key), "sk", AttributeValue.fromS(row));
    }

    private static AttributeValue seconds(Instant time) {
        return AttributeValue.fromN(Long.toString(time.getEpochSecond()));
    }
}
