package io.dynamolock.internal.store.dynamodb;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.protocol.Edit;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.Expiry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * An edit as an update expression and a condition expression of DynamoDB. An edit that only appends uses {@code
 * list_append}, which also creates the queue. In an edit with a removal or a reissue as well, the path of a {@code
 * list_append} would overlap theirs. Such an edit sets places far beyond the end of the queue instead, and DynamoDB
 * puts these entries at the end, in their order.
 */
final class EditExpression {

    /** A place beyond the end of any queue. */
    private static final int BEYOND = 10_000;

    private final List<String> conditions = new ArrayList<>();
    private final List<String> sets = new ArrayList<>();
    private final List<String> removals = new ArrayList<>();
    private final Map<String, AttributeValue> values = new HashMap<>();
    private final Map<String, String> names = new HashMap<>();

    EditExpression(Edit edit, DynamoTableSettings settings, Instant now) {
        expire(edit, settings, now);
        sets.add("tail = if_not_exists(tail, " + number(edit.base()) + ") + " + number(edit.tickets()));
        if (edit.enters()) {
            conditions.add(FormatGate.CONDITION);
            names.put(FormatGate.NAME, settings.formatAttribute());
        }
        if (edit.mustExist()) {
            conditions.add("attribute_exists(tail)");
        }
        edit.removed().forEach((index, entry) -> {
            conditions.add(place(index) + " = " + text(entry));
            removals.add(place(index));
        });
        Edit.Reissue reissue = edit.reissue();
        if (reissue != null) {
            conditions.add(place(reissue.index()) + " = " + text(reissue.from()));
            sets.add(place(reissue.index()) + " = " + text(reissue.to()));
        }
        if (!edit.appended().isEmpty()) {
            conditions.add("attribute_not_exists(" + place(edit.firstFreeIndex()) + ")");
            append(edit.appended(), edit.removed().isEmpty() && reissue == null);
        }
        if (edit.permits() > 0) {
            String permits = number(edit.permits());
            conditions.add("(attribute_not_exists(permits) OR permits = " + permits + ")");
            sets.add("permits = " + permits);
        } else if (edit.newPermits() > 0) {
            sets.add("permits = " + number(edit.newPermits()));
        }
        if (edit.data() != null) {
            write(edit.data(), settings.dataAttribute());
        }
    }

    /**
     * An edit that does not know the item's time must not set an earlier one. It must not append to an item either that
     * TTL may remove at any moment. If such an append is refused, the answer shows the item, and the engine sends
     * another one that sets a TTL.
     */
    private void expire(Edit edit, DynamoTableSettings settings, Instant now) {
        names.put("#ttl", settings.ttlAttribute());
        if (edit.expiresAt() != null) {
            sets.add("#ttl = " + value(AttributeValues.expiry(edit.expiresAt())));
            return;
        }
        Instant byDefault = Expiry.of(now, settings.retention());
        sets.add("#ttl = if_not_exists(#ttl, " + value(AttributeValues.expiry(byDefault)) + ")");
        if (!edit.appended().isEmpty()) {
            String soon = value(AttributeValues.expiry(Expiry.soon(now)));
            conditions.add("(attribute_not_exists(#ttl) OR #ttl >= " + soon + ")");
        }
    }

    private void append(List<Entry> entries, boolean isAlone) {
        if (isAlone) {
            String empty = value(AttributeValue.fromL(List.of()));
            String end = value(AttributeValue.fromL(entries.stream()
                    .map(entry -> AttributeValue.fromS(entry.text()))
                    .toList()));
            sets.add("queue = list_append(if_not_exists(queue, " + empty + "), " + end + ")");
        } else {
            for (int i = 0; i < entries.size(); i++) {
                sets.add(place(BEYOND + i) + " = " + text(entries.get(i)));
            }
        }
    }

    private void write(LockData data, String dataAttribute) {
        names.put("#data", dataAttribute);
        if (data.isEmpty()) {
            removals.add("#data");
        } else {
            sets.add("#data = " + value(AttributeValue.fromB(SdkBytes.fromByteArray(data.bytes()))));
        }
    }

    /** The condition expression; {@code null} if there is none. */
    @Nullable
    String condition() {
        return conditions.isEmpty() ? null : String.join(" AND ", conditions);
    }

    /** The update expression. */
    String update() {
        String update = "SET " + String.join(", ", sets);
        return removals.isEmpty() ? update : update + " REMOVE " + String.join(", ", removals);
    }

    /** The values of the placeholders in both expressions. */
    Map<String, AttributeValue> values() {
        return values;
    }

    /** The attribute names of the placeholders in both expressions. */
    Map<String, String> names() {
        return names;
    }

    private static String place(int index) {
        return "queue[" + index + "]";
    }

    private String number(long number) {
        return value(AttributeValues.number(number));
    }

    private String text(Entry entry) {
        return value(AttributeValue.fromS(entry.text()));
    }

    private String value(AttributeValue value) {
        String name = ":" + values.size();
        values.put(name, value);
        return name;
    }
}
