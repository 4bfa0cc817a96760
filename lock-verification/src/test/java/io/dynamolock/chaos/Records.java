package io.dynamolock.chaos;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
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
        client.createTable(create -> create.tableName(table)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(AttributeDefinition.builder()
                        .attributeName("id")
                        .attributeType(ScalarAttributeType.S)
                        .build())
                .keySchema(KeySchemaElement.builder()
                        .attributeName("id")
                        .keyType(KeyType.HASH)
                        .build()));
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
