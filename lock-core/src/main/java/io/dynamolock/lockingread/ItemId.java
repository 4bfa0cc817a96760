package io.dynamolock.lockingread;

import io.dynamolock.internal.text.PersonalText;
import io.dynamolock.internal.text.SafeText;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.TableMetadata;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/**
 * Identifies an item of a table.
 *
 * @param key the attributes of the partition key and then of the sort key, if the table has one. Numbers have a
 *     canonical spelling, so that keys with the same numbers are equal
 */
record ItemId(String table, Map<String, AttributeValue> key) implements Comparable<ItemId>, Serializable {

    /**
     * The item with this key.
     *
     * @throws IllegalArgumentException if the key is not one of this table
     */
    static ItemId of(String table, TableMetadata metadata, Key key) {
        Map<String, AttributeValue> attributes = new LinkedHashMap<>();
        String partitionKey = metadata.primaryPartitionKey();
        attributes.put(partitionKey, checked(metadata, partitionKey, key.partitionKeyValue()));
        if (metadata.primarySortKey().isPresent() != key.sortKeyValue().isPresent()) {
            throw new IllegalArgumentException("Table \"" + table + "\" has "
                    + metadata.primarySortKey()
                            .map(name -> "the sort key \"" + name + "\": add a sort value to the Key.")
                            .orElse("no sort key: leave the sort value out of the Key."));
        }
        metadata.primarySortKey()
                .ifPresent(name -> attributes.put(
                        name, checked(metadata, name, key.sortKeyValue().orElseThrow())));
        return new ItemId(table, Collections.unmodifiableMap(attributes));
    }

    private static AttributeValue checked(TableMetadata metadata, String name, AttributeValue value) {
        ScalarAttributeType type = metadata.scalarAttributeType(name).orElse(null);
        if (type != null && !type.toString().equals(value.type().name())) {
            throw new IllegalArgumentException("The key attribute \"" + name + "\" is of type " + type
                    + ", but the value in the Key is " + show(value) + ", of type " + value.type()
                    + ": build the Key with a value of the right type.");
        }
        return value.n() == null
                ? value
                : AttributeValue.fromN(SameValue.number(value.n()).toPlainString());
    }

    /**
     * By partition key, then sort key. All processes have this order, so that two batches never wait for each other.
     */
    @Override
    public int compareTo(ItemId other) {
        AttributeValue[] values = key.values().toArray(AttributeValue[]::new);
        return Arrays.compare(values, other.key.values().toArray(AttributeValue[]::new), ItemId::compare);
    }

    private static int compare(AttributeValue one, AttributeValue other) {
        if (one.n() != null) {
            return SameValue.number(one.n()).compareTo(SameValue.number(other.n()));
        }
        return one.s() != null
                ? one.s().compareTo(other.s())
                : Arrays.compareUnsigned(one.b().asByteArrayUnsafe(), other.b().asByteArrayUnsafe());
    }

    /** For messages. */
    @Override
    public String toString() {
        return "item "
                + key.entrySet().stream()
                        .map(entry -> SafeText.clean(entry.getKey()) + "=" + show(entry.getValue()))
                        .collect(Collectors.joining(", ", "{", "}"))
                + " of table " + SafeText.quote(table);
    }

    /** A value for messages, made safe. */
    static String show(AttributeValue value) {
        return PersonalText.shown(
                value.s() != null
                        ? SafeText.quote(value.s())
                        : SafeText.clean(value.n() != null ? value.n() : value.toString()));
    }
}
