package io.dynamolock.internal.store.testing;

import java.util.ArrayList;
import java.util.List;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/** How tables are created. */
public final class ItemTables {

    private ItemTables() {}

    /** A table of this name, whose items have the string {@code id} as their key. */
    public static CreateTableRequest byId(String name) {
        return byKeys(name, key("id", ScalarAttributeType.S));
    }

    /** @param keys the partition key, and then the sort key if there is one */
    public static CreateTableRequest byKeys(String name, AttributeDefinition... keys) {
        List<KeySchemaElement> schema = new ArrayList<>();
        for (AttributeDefinition key : keys) {
            schema.add(KeySchemaElement.builder()
                    .attributeName(key.attributeName())
                    .keyType(schema.isEmpty() ? KeyType.HASH : KeyType.RANGE)
                    .build());
        }
        return CreateTableRequest.builder()
                .tableName(name)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(keys)
                .keySchema(schema)
                .build();
    }

    public static AttributeDefinition key(String name, ScalarAttributeType type) {
        return AttributeDefinition.builder()
                .attributeName(name)
                .attributeType(type)
                .build();
    }
}
