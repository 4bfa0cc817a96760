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
 * What a write changes in an item: only the attributes that the caller, or an extension of the table, made different.
 * Each is written only over the value that was read, so that no other write gets lost; the others are left alone.
 */
final class ItemChange {

    private final Map<String, AttributeValue> read;

    /** New values by attribute; null where the attribute is to go. */
    private final Map<String, @Nullable AttributeValue> changed = new TreeMap<>();

    /**
     * Adds it to a write that unlocks the item.
     *
     * @param read the item with its key, of which the object has the same
     * @param readObject what the object that was read looked like as attributes, before the caller changed it: an
     *     object seldom gives back the very attributes that it was made of
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
        // What an extension takes out of the object is not to be written.
        object.keySet().stream().filter(name -> !written.containsKey(name)).forEach(candidates::remove);
        candidates.removeAll(write.changed());
        for (String attribute : candidates) {
            boolean byCaller = !SameValue.same(value(object, attribute), value(readObject, attribute));
            boolean byExtension = !SameValue.same(value(written, attribute), value(object, attribute));
            boolean different = !SameValue.same(value(written, attribute), value(read, attribute));
            boolean settled = read.containsKey(attribute) && mapping.isWrittenOnce(attribute);
            if (different && (byCaller || byExtension) && !settled) {
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

    /** Null also for a null value: as an attribute of an object both mean that there is nothing. */
    private static @Nullable AttributeValue value(Map<String, AttributeValue> attributes, String attribute) {
        AttributeValue value = attributes.get(attribute);
        return value == null || Boolean.TRUE.equals(value.nul()) ? null : value;
    }

    /** Whether an item looks as it would if this change had just been written. */
    boolean isIn(Map<String, AttributeValue> item) {
        return changed.entrySet().stream()
                .allMatch(entry -> SameValue.same(entry.getValue(), value(item, entry.getKey())));
    }

    /** Which of the attributes to be changed have other values in an item than were read. */
    Set<String> staleIn(Map<String, AttributeValue> item) {
        return changed.keySet().stream()
                .filter(attribute -> !SameValue.same(read.get(attribute), item.get(attribute)))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
