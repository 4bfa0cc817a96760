package io.dynamolock.store.dynamodb;

import io.dynamolock.store.BlockId;
import io.dynamolock.store.Claimant;
import io.dynamolock.store.Holder;
import io.dynamolock.store.LockState;
import io.dynamolock.store.SessionId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads lock items. They are written by expressions only, which leave a user's own attributes alone. */
final class LockItems {

    static final String TAIL = "tail";
    static final String SERVING = "serving";
    static final String HOLDER_SESSION = "holderSession";
    static final String HOLDER_BLOCK = "holderBlock";
    static final String HOLDER_OWNER = "holderOwner";
    static final String HOLDER_SINCE = "holderSince";

    static final List<String> ATTRIBUTES =
            List.of(TAIL, SERVING, HOLDER_SESSION, HOLDER_BLOCK, HOLDER_OWNER, HOLDER_SINCE);

    private LockItems() {}

    /** @param item empty if there is no such item */
    static LockState state(Map<String, AttributeValue> item) {
        return new LockState(number(item, TAIL), number(item, SERVING), holder(item));
    }

    private static @Nullable Holder holder(Map<String, AttributeValue> item) {
        if (!item.containsKey(HOLDER_BLOCK)) {
            return null;
        }
        Claimant claimant = new Claimant(
                new SessionId(UUID.fromString(text(item, HOLDER_SESSION))),
                new BlockId(UUID.fromString(item.get(HOLDER_BLOCK).s())),
                text(item, HOLDER_OWNER));
        return new Holder(claimant, Instant.parse(text(item, HOLDER_SINCE)));
    }

    private static String text(Map<String, AttributeValue> item, String attribute) {
        return Objects.requireNonNull(item.get(attribute), attribute).s();
    }

    private static long number(Map<String, AttributeValue> item, String attribute) {
        AttributeValue value = item.get(attribute);
        return value == null ? 0 : Long.parseLong(value.n());
    }
}
