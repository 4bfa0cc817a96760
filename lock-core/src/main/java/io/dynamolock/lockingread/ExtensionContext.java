package io.dynamolock.lockingread;

import java.util.Map;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbExtensionContext;
import software.amazon.awssdk.enhanced.dynamodb.OperationContext;
import software.amazon.awssdk.enhanced.dynamodb.TableMetadata;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.internal.operations.OperationName;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * What the extensions of a table see when an item is read or written by this package: the same as with the table's own
 * {@code updateItem}. {@link OperationName} is the SDK's own, but there is no other way to be asked.
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
