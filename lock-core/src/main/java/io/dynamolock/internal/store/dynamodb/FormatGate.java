package io.dynamolock.internal.store.dynamodb;

import io.dynamolock.internal.store.StoreFailure.Unreadable;
import io.dynamolock.internal.text.SafeText;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Keeps this version out of locks and sessions that have a later format. Such an item says its format in a number; the
 * items of this version have no such number. The number is read before anything else, because every other attribute may
 * have another meaning.
 *
 * <p><b>Entering is gated, leaving never.</b> A write that enters (an append, the beginning of a session, a fence, a
 * change of the number of permits) or that judges another process's session is made on the {@linkplain #CONDITION
 * condition} that there is no number. A write by which a process leaves, or stays where it is (a removal or a reissue
 * of its own entries, a heartbeat, the deletion of its own session), has no such condition. A version with a later
 * format writes and removes the number only where the queue is absent or empty, so no process ever stands before or
 * behind an entry that it does not understand.
 *
 * @param attribute the name of the attribute with the number
 */
record FormatGate(String attribute) {

    /** The placeholder of the attribute's name in expressions. */
    static final String NAME = "#format";

    /** The condition of writes that enter. */
    static final String CONDITION = "attribute_not_exists(" + NAME + ")";

    /**
     * Refuses to interpret an item of another format.
     *
     * @param what names the item
     * @throws UnreadableItemException if the item says a format, or has something else in its place
     */
    void check(Map<String, AttributeValue> item, Unreadable.Item kind, String what) {
        AttributeValue format = item.get(attribute);
        if (format == null) {
            return;
        }
        if (format.n() == null) {
            throw UnreadableItemException.malformed(
                    kind, "the attribute \"" + attribute + "\" of " + what, "not a number");
        }
        throw UnreadableItemException.otherFormat(kind, what, SafeText.clean(format.n()), attribute);
    }
}
