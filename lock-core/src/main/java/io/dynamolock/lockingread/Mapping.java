package io.dynamolock.lockingread;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClientExtension;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.MappedTableResource;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.extensions.ReadModification;
import software.amazon.awssdk.enhanced.dynamodb.extensions.WriteModification;
import software.amazon.awssdk.enhanced.dynamodb.mapper.UpdateBehavior;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Items as objects of the user's class and back, by the schema and the extensions of an enhanced client's table. */
record Mapping<T>(MappedTableResource<T> table) {

    /** The SDK has no public name for where a schema keeps this. */
    private static final String UPDATE_BEHAVIOR = "UpdateBehavior:";

    ItemId itemOf(Key key) {
        return ItemId.of(table.tableName(), schema().tableMetadata(), key);
    }

    /** @throws IllegalArgumentException if the object's key is not the item's */
    void requireKeyOf(ItemId item, T object) {
        Map<String, AttributeValue> found =
                schema().itemToMap(object, item.key().keySet());
        if (!SameValue.same(AttributeValue.fromM(found), AttributeValue.fromM(item.key()))) {
            throw new IllegalArgumentException("The object handed in is not the " + item + " that is locked, but the "
                    + new ItemId(item.table(), found) + ". Write an object with the key that was locked.");
        }
    }

    T read(Map<String, AttributeValue> attributes) {
        DynamoDbEnhancedClientExtension extension = table.mapperExtension();
        ReadModification read = extension == null ? null : extension.afterRead(context(attributes));
        return schema().mapToItem(read == null || read.transformedItem() == null ? attributes : read.transformedItem());
    }

    /** As {@code updateItem} would write it: what is null in the object is a null value here. */
    Map<String, AttributeValue> toMap(T object) {
        return new HashMap<>(schema().itemToMap(object, false));
    }

    WriteModification beforeWrite(Map<String, AttributeValue> attributes) {
        DynamoDbEnhancedClientExtension extension = table.mapperExtension();
        WriteModification write = extension == null ? null : extension.beforeWrite(context(attributes));
        return write == null ? WriteModification.builder().build() : write;
    }

    /** Whether an attribute, once written, is not to be written again. */
    boolean isWrittenOnce(String attribute) {
        return schema().tableMetadata()
                .customMetadataObject(UPDATE_BEHAVIOR + attribute, UpdateBehavior.class)
                .equals(Optional.of(UpdateBehavior.WRITE_IF_NOT_EXISTS));
    }

    TableSchema<T> schema() {
        return table.tableSchema();
    }

    private ExtensionContext context(Map<String, AttributeValue> attributes) {
        return new ExtensionContext(table.tableName(), attributes, schema());
    }
}
