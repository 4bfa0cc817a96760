package io.dynamolock.internal.store.dynamodb;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.store.StoreFailure.Unreadable;
import io.dynamolock.internal.text.SafeText;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads the items of locks. They may have further attributes, which belong to users. */
final class LockItemCodec {

    /**
     * Maximum length of a queue that is read, which is more than any process lets a queue grow to. Somebody who writes
     * the table by hand must not be able to keep processes busy for ever.
     */
    private static final int MOST_ENTRIES = 1_000;

    /** The end of the year 9999. A greater number is no time in seconds. */
    private static final long LATEST_EXPIRY = 253_402_300_799L;

    private LockItemCodec() {}

    /**
     * Reads a lock's item.
     *
     * @param item empty if there is no such item
     * @throws UnreadableItemException if the item has another format, or no edit can have written it
     */
    static LockItem read(Map<String, AttributeValue> item, String dataAttribute, String ttlAttribute, FormatGate gate) {
        gate.check(item, Unreadable.Item.LOCK, "a lock item");
        return new LockItem(
                number("tail", Long.MAX_VALUE, item),
                queue(item.get("queue")),
                (int) number("permits", Integer.MAX_VALUE, item),
                data(dataAttribute, item.get(dataAttribute)),
                expiry(item.get(ttlAttribute)));
    }

    /**
     * When TTL may remove the item; {@code null} if there is no such time, or none that DynamoLock can have written.
     * Then the next edit that is made from this item sets one.
     */
    private static @Nullable Instant expiry(@Nullable AttributeValue value) {
        if (value == null || value.n() == null) {
            return null;
        }
        try {
            long seconds = Long.parseLong(value.n());
            return seconds < 0 || seconds > LATEST_EXPIRY ? null : Instant.ofEpochSecond(seconds);
        } catch (NumberFormatException noWholeNumber) {
            return null;
        }
    }

    private static long number(String attribute, long most, Map<String, AttributeValue> item) {
        AttributeValue value = item.get(attribute);
        if (value == null) {
            return 0;
        }
        String number = value.n() == null ? "" : value.n();
        try {
            long read = Long.parseLong(number);
            if (read >= 0 && read <= most) {
                return read;
            }
        } catch (NumberFormatException tooLongOrNoWholeNumber) {
            // Refused below, with the text made safe.
        }
        throw malformed(attribute, "not a number from 0 to " + most + ": " + SafeText.clean(number));
    }

    private static List<Entry> queue(@Nullable AttributeValue value) {
        if (value == null) {
            return List.of();
        }
        if (!value.hasL() || value.l().size() > MOST_ENTRIES) {
            throw malformed("queue", "not a list of at most " + MOST_ENTRIES + " entries");
        }
        return value.l().stream().map(LockItemCodec::entry).toList();
    }

    private static Entry entry(AttributeValue value) {
        String text = value.s();
        if (text == null) {
            throw malformed("queue", "an entry that is not a string");
        }
        try {
            return Entry.parse(text);
        } catch (IllegalArgumentException invalid) {
            throw malformed("queue", SafeText.clean(String.valueOf(invalid.getMessage())));
        }
    }

    /**
     * The user's data. An attribute of another type was not written by DynamoLock and may belong to somebody else, so
     * it counts as no data instead of making the lock fail.
     */
    private static LockData data(String attribute, @Nullable AttributeValue value) {
        if (value == null || value.b() == null) {
            return LockData.EMPTY;
        }
        try {
            return LockData.of(value.b().asByteArray());
        } catch (IllegalArgumentException tooMuch) {
            throw malformed(attribute, String.valueOf(tooMuch.getMessage()));
        }
    }

    private static UnreadableItemException malformed(String attribute, String why) {
        return UnreadableItemException.malformed(
                Unreadable.Item.LOCK, "the attribute \"" + attribute + "\" of a lock item", why);
    }
}
