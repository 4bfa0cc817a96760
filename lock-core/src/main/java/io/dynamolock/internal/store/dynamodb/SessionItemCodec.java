package io.dynamolock.store.dynamodb;

import io.dynamolock.internal.protocol.Notice;
import io.dynamolock.internal.protocol.SafeText;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.protocol.SessionItem;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What session items look like in the table, apart from their key and their removal by TTL. */
final class SessionItemCodec {

    private SessionItemCodec() {}

    /** The attributes of a session that has just begun. */
    static Map<String, AttributeValue> write(SessionItem session) {
        return Map.of(
                "heartbeat", AttributeValues.number(session.heartbeat()),
                "lease", AttributeValues.string(session.lease()),
                "owner", AttributeValues.string(session.owner()),
                "heartbeatAt", AttributeValues.string(session.heartbeatAt()));
    }

    /** The set of notices as an attribute. */
    static AttributeValue notices(Set<Notice> notices) {
        return AttributeValue.fromSs(notices.stream().map(Notice::text).toList());
    }

    /**
     * @param item empty if there is no such item
     * @param keys which locks can be; a notice about another one asks nothing
     * @throws MalformedItemException if it is not as an edit has left it
     */
    static Optional<SessionItem> read(SessionId id, Map<String, AttributeValue> item, ItemKeys keys) {
        if (item.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new SessionItem(
                    Long.parseLong(
                            Objects.requireNonNull(attribute(item, "heartbeat").n(), "heartbeat")),
                    Duration.parse(text(item, "lease")),
                    SafeText.clean(text(item, "owner")),
                    Instant.parse(text(item, "heartbeatAt")),
                    notices(item.get("notices"), keys)));
        } catch (RuntimeException odd) {
            // Without the cause, whose message has the table's text as it is.
            throw new MalformedItemException(
                    "the item of session " + id, SafeText.clean(String.valueOf(odd.getMessage())));
        }
    }

    private static AttributeValue attribute(Map<String, AttributeValue> item, String name) {
        return Objects.requireNonNull(item.get(name), name);
    }

    private static String text(Map<String, AttributeValue> item, String name) {
        return Objects.requireNonNull(attribute(item, name).s(), name);
    }

    /** What nobody can read asks nothing; nor does what is more than any edit leaves there, until the others are heard. */
    private static Set<Notice> notices(@Nullable AttributeValue value, ItemKeys keys) {
        return value == null || !value.hasSs()
                ? Set.of()
                : sorted(value.ss())
                        .filter(notice -> keys.canBe(notice.key()))
                        .limit(SessionItem.MOST_NOTICES)
                        .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static Stream<Notice> sorted(List<String> texts) {
        return texts.stream().sorted().flatMap(text -> {
            try {
                return Stream.of(Notice.parse(text));
            } catch (IllegalArgumentException odd) {
                return Stream.empty();
            }
        });
    }
}
