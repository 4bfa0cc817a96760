package io.dynamolock.store.dynamodb;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.protocol.SafeText;
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
    private static final String PUTS = "puts";

    private final DynamoTableSettings settings;

    LockItems(DynamoTableSettings settings) {
        this.settings = settings;
    }

    /**
     * @param item empty if there is no such item
     * @throws MalformedItemException if it is not as a step has left it
     */
    LockItem read(Map<String, AttributeValue> item) {
        return new LockItem(
                number(TAIL, "a ticket", Long.MAX_VALUE, item.get(TAIL)),
                queue(item.get(QUEUE)),
                (int) number(PERMITS, "a number of permits", Integer.MAX_VALUE, item.get(PERMITS)),
                data(item.get(settings.dataAttribute())),
                number(PUTS, "a count", Long.MAX_VALUE, item.get(PUTS)));
    }

    private static long number(String attribute, String what, long most, @Nullable AttributeValue value) {
        if (value == null) {
            return 0;
        }
        String number = value.n();
        if (number == null) {
            throw malformed(attribute, "not a number");
        }
        try {
            long read = Long.parseLong(number);
            if (read >= 0 && read <= most) {
                return read;
            }
        } catch (NumberFormatException odd) {
            // As below.
        }
        throw malformed(attribute, "not " + what + ": " + SafeText.clean(number));
    }

    /** An attribute of that name that is not bytes was never written by a lock: no lock shall fail for it. */
    private LockData data(@Nullable AttributeValue value) {
        if (value == null || value.b() == null) {
            return LockData.EMPTY;
        }
        try {
            return LockData.of(value.b().asByteArray());
        } catch (IllegalArgumentException tooMuch) {
            throw malformed(settings.dataAttribute(), String.valueOf(tooMuch.getMessage()));
        }
    }

    private static List<Entry> queue(@Nullable AttributeValue value) {
        if (value == null) {
            return LockItem.ABSENT.queue();
        }
        if (!value.hasL()) {
            throw malformed(QUEUE, "not a list");
        }
        if (value.l().size() > LockItem.MOST_BLOCKS) {
            throw malformed(QUEUE, value.l().size() + " entries, more than " + LockItem.MOST_BLOCKS);
        }
        return value.l().stream().map(LockItems::entry).toList();
    }

    private static Entry entry(AttributeValue value) {
        String text = value.s();
        if (text == null) {
            throw malformed(QUEUE, "an entry that is not a string");
        }
        try {
            return Entry.parse(text);
        } catch (IllegalArgumentException odd) {
            throw malformed(QUEUE, String.valueOf(odd.getMessage()));
        }
    }

    private static MalformedItemException malformed(String attribute, String why) {
        return new MalformedItemException("the attribute \"" + attribute + "\" of a lock item", why);
    }
}
