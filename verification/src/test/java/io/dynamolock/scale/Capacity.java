package io.dynamolock.scale;

import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.Edit;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionEdit;
import io.dynamolock.internal.protocol.SessionItem;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The sizes of this project's items and the cost of their calls, by DynamoDB's rules: names and strings count with
 * their bytes, a number with half its digits and one byte, a list with three bytes and one for each element; a write
 * costs a unit for each begun kilobyte of the larger of the item before and after, also if it is refused.
 */
final class Capacity {

    private static final int WRITE_UNIT_BYTES = 1_024;
    private static final int READ_UNIT_BYTES = 4_096;

    /** Bytes of a list itself, and additional bytes of each element. */
    private static final int LIST = 3;

    private static final int ELEMENT = 1;

    /** Times and tickets have at most sixteen digits. */
    private static final int NUMBER = 9;

    private static final int LOCK_ATTRIBUTES = bytes("pk", "sk", "tail", "queue", "expiresAt") + 2 * NUMBER + LIST;

    private static final int SESSION_ATTRIBUTES = bytes(
                    "pk",
                    "session#0123456789",
                    "sk",
                    "session",
                    "heartbeat",
                    "lease",
                    "owner",
                    "heartbeatAt",
                    "expiresAt")
            + 4 * NUMBER;

    private Capacity() {}

    static int ofWrite(LockKey key, LockItem item, Edit edit) {
        Answer<LockItem> answer = edit.on(item);
        return writeUnits(Math.max(size(key, item), answer.isApplied() ? size(key, answer.item()) : 0));
    }

    static int ofWrite(Optional<SessionItem> item, SessionEdit edit) {
        return writeUnits(Math.max(size(item), size(edit.on(item).item())));
    }

    static double ofRead(LockKey key, LockItem item, boolean consistent) {
        int units = units(size(key, item), READ_UNIT_BYTES);
        return consistent ? units : units / 2.0;
    }

    /** A strongly consistent read. */
    static int ofRead(Optional<SessionItem> item) {
        return units(size(item), READ_UNIT_BYTES);
    }

    static int size(LockKey key, LockItem item) {
        int size = LOCK_ATTRIBUTES + bytes(key.key(), key.namespace()) + 1;
        for (Entry entry : item.queue()) {
            size += ELEMENT + entry.text().length();
        }
        return size;
    }

    private static int size(Optional<SessionItem> item) {
        if (item.isEmpty()) {
            return 0;
        }
        return SESSION_ATTRIBUTES
                + bytes(item.get().owner())
                + bytes(item.get().notices().toArray(String[]::new));
    }

    private static int writeUnits(int bytes) {
        return units(bytes, WRITE_UNIT_BYTES);
    }

    private static int units(int bytes, int unit) {
        return Math.max(1, (bytes + unit - 1) / unit);
    }

    private static int bytes(String... texts) {
        return String.join("", texts).getBytes(StandardCharsets.UTF_8).length;
    }
}
