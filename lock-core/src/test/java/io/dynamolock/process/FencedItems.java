package io.dynamolock.process;

import io.dynamolock.internal.store.testing.ItemTables;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

/**
 * What the locks protect in these tests: items that refuse a write with a smaller fencing token than an earlier one's.
 */
final class FencedItems {

    private final DynamoDbAsyncClient client;
    private final String tableName;

    FencedItems(DynamoDbAsyncClient client, String tableName) {
        this.client = client;
        this.tableName = tableName;
    }

    void createTable() {
        client.createTable(ItemTables.byId(tableName)).join();
    }

    /** Whether the write was accepted. */
    boolean write(String id, long fencingToken, String value) {
        try {
            client.putItem(put -> put.tableName(tableName)
                            .item(Map.of("id", string(id), "fence", number(fencingToken), "value", string(value)))
                            .conditionExpression("attribute_not_exists(fence) OR fence <= :token")
                            .expressionAttributeValues(Map.of(":token", number(fencingToken))))
                    .join();
            return true;
        } catch (CompletionException e) {
            if (e.getCause() instanceof ConditionalCheckFailedException) {
                return false;
            }
            throw e;
        }
    }

    Optional<String> read(String id) {
        return Optional.ofNullable(client.getItem(get -> get.tableName(tableName)
                                .key(Map.of("id", string(id)))
                                .consistentRead(true))
                        .join()
                        .item()
                        .get("value"))
                .map(AttributeValue::s);
    }

    private static AttributeValue string(String value) {
        return AttributeValue.fromS(value);
    }

    private static AttributeValue number(long value) {
        return AttributeValue.fromN(Long.toString(value));
    }
}
