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

/**
 * Turns items into objects of the user's class and back, by the schema and the extensions of an enhanced client's
 * table.
 */
record Mapping<T>(MappedTableResource<T> table) {

    /**
     * Prefix of the metadata in which a schema keeps the update behavior of an attribute. The SDK has no public
     * constant for it.
     */
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

    /** The item as an object, after the extensions have changed it. */
    T read(Map<String, AttributeValue> attributes) {
        DynamoDbEnhancedClientExtension extension = table.mapperExtension();
        ReadModification read = extension == null ? null : extension.afterRead(context(attributes));
        return schema().mapToItem(read == null || read.transformedItem() == null ? attributes : read.transformedItem());
    }

    /**
     * The attributes of an object as {@code updateItem} would write them. A {@code null} in the object is DynamoDB's
     * null value.
     */
    Map<String, AttributeValue> toMap(T object) {
        return new HashMap<>(schema().itemToMap(object, false));
    }

    /** The changes that the extensions make to a write of these attributes. */
    WriteModification beforeWrite(Map<String, AttributeValue> attributes) {
        DynamoDbEnhancedClientExtension extension = table.mapperExtension();
        WriteModification write = extension == null ? null : extension.beforeWrite(context(attributes));
        return write == null ? WriteModification.builder().build() : write;
    }

    /** Whether the schema says that an attribute which is in the item must not be written again. */
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
