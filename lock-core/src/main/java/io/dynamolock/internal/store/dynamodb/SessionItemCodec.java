package io.dynamolock.internal.store.dynamodb;

import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.protocol.SessionItem;
import io.dynamolock.internal.store.StoreFailure.Unreadable;
import io.dynamolock.internal.text.SafeText;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Writes and reads the attributes of session items, except their keys and their TTL. */
final class SessionItemCodec {

    private SessionItemCodec() {}

    /** The attributes of a session that has just begun. The placeholder of each is its name behind a colon. */
    static Map<String, AttributeValue> values(SessionItem session) {
        Map<String, AttributeValue> values = new HashMap<>();
        values.put(":heartbeat", AttributeValues.number(session.heartbeat()));
        values.put(":lease", AttributeValues.string(session.lease()));
        values.put(":owner", AttributeValues.string(session.owner()));
        if (session.heartbeatAt() != null) {
            values.put(":heartbeatAt", AttributeValues.string(session.heartbeatAt()));
        }
        return values;
    }

    /** The set of notices as an attribute. */
    static AttributeValue notices(Set<String> notices) {
        return AttributeValue.fromSs(List.copyOf(notices));
    }

    /**
     * Reads a session's item.
     *
     * @param item empty if there is no such item
     * @throws UnreadableItemException if the item has another format, or no edit can have written it
     */
    static Optional<SessionItem> read(SessionId id, Map<String, AttributeValue> item, FormatGate gate) {
        if (item.isEmpty()) {
            return Optional.empty();
        }
        String what = "the item of session " + id;
        gate.check(item, Unreadable.Item.SESSION, what);
        try {
            return Optional.of(new SessionItem(
                    Long.parseLong(
                            Objects.requireNonNull(attribute(item, "heartbeat").n(), "heartbeat")),
                    Duration.parse(text(item, "lease")),
                    SafeText.clean(text(item, "owner")),
                    item.containsKey("heartbeatAt") ? Instant.parse(text(item, "heartbeatAt")) : null,
                    notices(item.get("notices"))));
        } catch (RuntimeException invalid) {
            // Without the cause, because its message contains text from the table that was not made safe.
            throw UnreadableItemException.malformed(
                    Unreadable.Item.SESSION, what, SafeText.clean(String.valueOf(invalid.getMessage())));
        }
    }

    private static AttributeValue attribute(Map<String, AttributeValue> item, String name) {
        return Objects.requireNonNull(item.get(name), name);
    }

    private static String text(Map<String, AttributeValue> item, String name) {
        return Objects.requireNonNull(attribute(item, name).s(), name);
    }

    /**
     * At most as many notices as an edit leaves there. If somebody has written more, the process reads the rest after
     * it has removed these.
     */
    private static Set<String> notices(@Nullable AttributeValue value) {
        return value == null || !value.hasSs()
                ? Set.of()
                : value.ss().stream()
                        .sorted()
                        .limit(SessionItem.MOST_NOTICES)
                        .collect(Collectors.toCollection(LinkedHashSet::new));
    }
}
