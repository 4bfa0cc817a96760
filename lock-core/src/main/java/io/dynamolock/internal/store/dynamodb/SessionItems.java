package io.dynamolock.store.dynamodb;

import io.dynamolock.internal.protocol.SafeText;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.protocol.SessionItem;
import io.dynamolock.protocol.SessionStep;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.EnhancedType;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.mapper.StaticImmutableTableSchema;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What session items look like in the table, apart from their key and their removal by TTL. */
final class SessionItems {

    static final String BEAT = "beat";
    static final String LEASE = "lease";
    static final String OWNER = "owner";
    static final String BEAT_AT = "beatAt";
    static final String DISPUTES = "disputes";
    static final String EVICTIONS = "evictions";
    static final String KEPT_UNTIL = "keptUntil";

    private static final TableSchema<Row> SCHEMA = StaticImmutableTableSchema.builder(Row.class, Builder.class)
            .newItemBuilder(Builder::new, Builder::build)
            .addAttribute(
                    Long.class,
                    attribute -> attribute.name(BEAT).getter(Row::beat).setter((row, value) -> row.beat = value))
            .addAttribute(
                    String.class,
                    attribute -> attribute.name(LEASE).getter(Row::lease).setter((row, value) -> row.lease = value))
            .addAttribute(
                    String.class,
                    attribute -> attribute.name(OWNER).getter(Row::owner).setter((row, value) -> row.owner = value))
            .addAttribute(
                    Instant.class,
                    attribute -> attribute.name(BEAT_AT).getter(Row::beatAt).setter((row, value) -> row.beatAt = value))
            .addAttribute(
                    EnhancedType.setOf(String.class),
                    attribute ->
                            attribute.name(DISPUTES).getter(Row::disputes).setter((row, value) -> row.disputes = value))
            .addAttribute(
                    EnhancedType.setOf(String.class),
                    attribute -> attribute
                            .name(EVICTIONS)
                            .getter(Row::evictions)
                            .setter((row, value) -> row.evictions = value))
            .addAttribute(
                    Instant.class,
                    attribute -> attribute
                            .name(KEPT_UNTIL)
                            .getter(Row::keptUntil)
                            .setter((row, value) -> row.keptUntil = value))
            .build();

    private final ItemKeys keys;

    SessionItems(ItemKeys keys) {
        this.keys = keys;
    }

    /** The attributes of a session that has just begun. */
    static Map<String, AttributeValue> write(SessionItem session) {
        Row row = new Row(
                session.beat(),
                session.lease().toString(),
                session.owner(),
                session.beatAt(),
                null,
                null,
                session.keptUntil());
        return SCHEMA.itemToMap(row, true);
    }

    /**
     * @param item empty if there is no such item
     * @throws MalformedItemException if it is not as a step has left it
     */
    Optional<SessionItem> read(SessionId id, Map<String, AttributeValue> item) {
        if (item.isEmpty()) {
            return Optional.empty();
        }
        try {
            Row row = SCHEMA.mapToItem(item);
            return Optional.of(new SessionItem(
                    row.beat(),
                    Duration.parse(row.lease()),
                    SafeText.clean(row.owner()),
                    row.beatAt(),
                    decoded(
                            row.disputes(),
                            text -> DisputeCodec.decode(id, text).filter(asked -> keys.canBe(asked.key())),
                            SessionStep.Raise.MOST),
                    decoded(
                            row.evictions(),
                            text -> EvictionCodec.decode(id, text).filter(told -> keys.canBe(told.key())),
                            SessionStep.Evict.MOST),
                    row.keptUntil()));
        } catch (RuntimeException odd) {
            // Without the cause, whose message has the table's text as it is.
            throw new MalformedItemException(
                    "the item of session " + id, SafeText.clean(String.valueOf(odd.getMessage())));
        }
    }

    /** What nobody can read asks nothing; nor does what is more than any step leaves there, until the others are settled. */
    private static <T> Set<T> decoded(@Nullable Set<String> texts, Function<String, Optional<T>> decode, int most) {
        return texts == null
                ? Set.of()
                : texts.stream()
                        .flatMap(text -> decode.apply(text).stream())
                        .limit(most)
                        .collect(Collectors.toSet());
    }

    /** The attributes, each as the table has it. */
    private record Row(
            Long beat,
            String lease,
            String owner,
            Instant beatAt,
            @Nullable Set<String> disputes,
            @Nullable Set<String> evictions,
            @Nullable Instant keptUntil) {}

    /** Filled by the schema while it reads an item. */
    private static final class Builder {

        private @Nullable Long beat;
        private @Nullable String lease;
        private @Nullable String owner;
        private @Nullable Instant beatAt;
        private @Nullable Set<String> disputes;
        private @Nullable Set<String> evictions;
        private @Nullable Instant keptUntil;

        Row build() {
            return new Row(
                    Objects.requireNonNull(beat, BEAT),
                    Objects.requireNonNull(lease, LEASE),
                    Objects.requireNonNull(owner, OWNER),
                    Objects.requireNonNull(beatAt, BEAT_AT),
                    disputes,
                    evictions,
                    keptUntil);
        }
    }
}
