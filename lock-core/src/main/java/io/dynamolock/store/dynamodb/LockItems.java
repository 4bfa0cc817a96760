package io.dynamolock.store.dynamodb;

import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.LockItem;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads lock items. They may have further attributes, which are a user's. */
final class LockItems {

    private static final String TAIL = "tail";
    private static final String QUEUE = "queue";
    private static final String PERMITS = "permits";

    private LockItems() {}

    /**
     * @param item empty if there is no such item
     * @throws MalformedItemException if it is not as a step has left it
     */
    static LockItem read(Map<String, AttributeValue> item) {
        return new LockItem(tail(item.get(TAIL)), queue(item.get(QUEUE)), permits(item.get(PERMITS)));
    }

    private static long tail(@Nullable AttributeValue value) {
        if (value == null) {
            return LockItem.ABSENT.tail();
        }
        String number = value.n();
        if (number == null) {
            throw malformed(TAIL, "not a number", null);
        }
        try {
            return Long.parseLong(number);
        } catch (NumberFormatException odd) {
            throw malformed(TAIL, "not a ticket: " + number, odd);
        }
    }

    private static int permits(@Nullable AttributeValue value) {
        if (value == null) {
            return LockItem.ABSENT.permits();
        }
        try {
            return Integer.parseInt(String.valueOf(value.n()));
        } catch (NumberFormatException odd) {
            throw malformed(PERMITS, "not a number of permits: " + value.n(), odd);
        }
    }

    private static List<Entry> queue(@Nullable AttributeValue value) {
        if (value == null) {
            return LockItem.ABSENT.queue();
        }
        if (!value.hasL()) {
            throw malformed(QUEUE, "not a list", null);
        }
        return value.l().stream().map(LockItems::entry).toList();
    }

    private static Entry entry(AttributeValue value) {
        String text = value.s();
        if (text == null) {
            throw malformed(QUEUE, "an entry that is not a string", null);
        }
        try {
            return Entry.parse(text);
        } catch (IllegalArgumentException odd) {
            throw malformed(QUEUE, String.valueOf(odd.getMessage()), odd);
        }
    }

    private static MalformedItemException malformed(String attribute, String why, @Nullable Throwable cause) {
        return new MalformedItemException("the attribute \"" + attribute + "\" of a lock item", why, cause);
    }
}
