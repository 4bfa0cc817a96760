package io.dynamolock.lockingread;

import java.util.Map;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbExtensionContext;
import software.amazon.awssdk.enhanced.dynamodb.OperationContext;
import software.amazon.awssdk.enhanced.dynamodb.TableMetadata;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.internal.operations.OperationName;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The context in which this package calls a table's extensions when it reads or writes an item. They see the same as in
 * the table's own {@code updateItem}. {@link OperationName} is internal to the SDK, but an extension cannot be called
 * without it.
 */
record ExtensionContext(String tableName, Map<String, AttributeValue> items, TableSchema<?> tableSchema)
        implements DynamoDbExtensionContext.BeforeWrite, DynamoDbExtensionContext.AfterRead, OperationContext {

    @Override
    public OperationContext operationContext() {
        return this;
    }

    @Override
    public String indexName() {
        return TableMetadata.primaryIndexName();
    }

    @Override
    public TableMetadata tableMetadata() {
        return tableSchema.tableMetadata();
    }

    @Override
    public OperationName operationName() {
        return OperationName.UPDATE_ITEM;
    }
}
