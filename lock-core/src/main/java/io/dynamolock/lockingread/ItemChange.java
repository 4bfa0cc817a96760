package io.dynamolock.lockingread;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.extensions.WriteModification;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The changes of a write to an item. Only attributes that the caller or an extension of the table has made different
 * are written, each on the condition that it still has the value that was read. So no other write gets lost, and all
 * other attributes are left alone.
 */
final class ItemChange {

    /** The attributes of the item as they were read. */
    private final Map<String, AttributeValue> read;

    /** New values by attribute; {@code null} for an attribute to remove. */
    private final Map<String, @Nullable AttributeValue> changed = new TreeMap<>();

    /**
     * Compares an object with the one that was read and adds the changes to a write.
     *
     * @param read the attributes of the item as they were read, with those of the key
     * @param readObject the attributes of the object that was read, before the caller changed it. They may differ from
     *     {@code read}, because a class seldom returns exactly the attributes that it was made of
     * @param object the attributes of the object to write, which has the same key
     * @param write the write that unlocks the item
     */
    ItemChange(
            Mapping<?> mapping,
            Map<String, AttributeValue> read,
            Map<String, AttributeValue> readObject,
            Map<String, AttributeValue> object,
            ItemExpression write) {
        this.read = read;
        WriteModification byExtensions = mapping.beforeWrite(object);
        write.requireToo(byExtensions.additionalConditionalExpression());
        if (byExtensions.updateExpression() != null) {
            write.changeToo(byExtensions.updateExpression());
        }
        Map<String, AttributeValue> written =
                byExtensions.transformedItem() == null ? object : byExtensions.transformedItem();
        Set<String> candidates = new HashSet<>(readObject.keySet());
        candidates.addAll(written.keySet());
        // An extension has taken these attributes out of the object, so they are not written.
        object.keySet().stream().filter(name -> !written.containsKey(name)).forEach(candidates::remove);
        candidates.removeAll(write.changed());
        for (String attribute : candidates) {
            boolean byCaller = !SameValue.same(value(object, attribute), value(readObject, attribute));
            boolean byExtension = !SameValue.same(value(written, attribute), value(object, attribute));
            boolean different = !SameValue.same(value(written, attribute), value(read, attribute));
            boolean mayBeWritten = !read.containsKey(attribute) || !mapping.isWrittenOnce(attribute);
            if (different && (byCaller || byExtension) && mayBeWritten) {
                change(attribute, value(written, attribute), write);
            }
        }
    }

    private void change(String attribute, @Nullable AttributeValue value, ItemExpression write) {
        changed.put(attribute, value);
        AttributeValue expected = read.get(attribute);
        write.require(expected == null ? write.absent(attribute) : write.equal(attribute, expected));
        write.set(attribute, value);
    }

    /**
     * The value of an attribute; {@code null} if it is absent or has DynamoDB's null value, which mean the same in an
     * object.
     */
    private static @Nullable AttributeValue value(Map<String, AttributeValue> attributes, String attribute) {
        AttributeValue value = attributes.get(attribute);
        return value == null || Boolean.TRUE.equals(value.nul()) ? null : value;
    }

    /** Whether an item looks as if these changes had just been written. */
    boolean isIn(Map<String, AttributeValue> item) {
        return changed.entrySet().stream()
                .allMatch(entry -> SameValue.same(entry.getValue(), value(item, entry.getKey())));
    }

    /** The attributes to be changed whose values in an item are not those that were read. */
    Set<String> staleIn(Map<String, AttributeValue> item) {
        return changed.keySet().stream()
                .filter(attribute -> !SameValue.same(read.get(attribute), item.get(attribute)))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
