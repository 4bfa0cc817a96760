package io.dynamolock.chaos;

import io.dynamolock.internal.store.testing.ItemTables;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/** What a frozen process and its successor both write: one record that is fenced and one that is not, for each key. */
final class Records {

    static final String FENCED = "fenced#";
    static final String PLAIN = "plain#";

    private final DynamoDbClient client;
    private final String table;

    Records(DynamoDbClient client, String table) {
        this.client = client;
        this.table = table;
    }

    String table() {
        return table;
    }

    static List<String> keys(int count) {
        return IntStream.range(0, count).mapToObj(i -> "account-" + i).toList();
    }

    void create() {
        client.createTable(ItemTables.byId(table));
    }

    TransactWriteItem put(String id, String writer) {
        return TransactWriteItem.builder()
                .put(put -> put.tableName(table)
                        .item(Map.of("id", AttributeValue.fromS(id), "writer", AttributeValue.fromS(writer))))
                .build();
    }

    String writer(String id) {
        return client.getItem(
                        get -> get.tableName(table).consistentRead(true).key(Map.of("id", AttributeValue.fromS(id))))
                .item()
                .get("writer")
                .s();
    }
}
