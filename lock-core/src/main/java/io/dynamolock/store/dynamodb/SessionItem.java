package io.dynamolock.store.dynamodb;

import io.dynamolock.store.SessionId;
import io.dynamolock.store.SessionState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags;
import software.amazon.awssdk.enhanced.dynamodb.mapper.StaticImmutableTableSchema;

/** A session as an item. Its disputes are not mapped: they are added and removed by expressions only. */
record SessionItem(
        String partitionKey, String sortKey, long beat, String lease, String owner, Instant beatAt, long expiresAt) {

    static final String BEAT = "beat";
    static final String BEAT_AT = "beatAt";
    static final String DISPUTES = "disputes";

    static final List<String> ATTRIBUTES = List.of(BEAT, "lease", "owner", BEAT_AT, DISPUTES);

    SessionState state(SessionId id) {
        return new SessionState(id, beat, Duration.parse(lease), owner, beatAt);
    }

    static TableSchema<SessionItem> schema(DynamoTableSettings settings) {
        return StaticImmutableTableSchema.builder(SessionItem.class, Builder.class)
                .newItemBuilder(Builder::new, Builder::build)
                .addAttribute(
                        String.class,
                        attribute -> attribute
                                .name(settings.partitionKeyAttribute())
                                .getter(SessionItem::partitionKey)
                                .setter((item, value) -> item.partitionKey = value)
                                .tags(StaticAttributeTags.primaryPartitionKey()))
                .addAttribute(
                        String.class,
                        attribute -> attribute
                                .name(settings.sortKeyAttribute())
                                .getter(SessionItem::sortKey)
                                .setter((item, value) -> item.sortKey = value)
                                .tags(StaticAttributeTags.primarySortKey()))
                .addAttribute(
                        Long.class,
                        attribute -> attribute
                                .name(BEAT)
                                .getter(SessionItem::beat)
                                .setter((item, value) -> item.beat = value))
                .addAttribute(
                        String.class,
                        attribute -> attribute
                                .name("lease")
                                .getter(SessionItem::lease)
                                .setter((item, value) -> item.lease = value))
                .addAttribute(
                        String.class,
                        attribute -> attribute
                                .name("owner")
                                .getter(SessionItem::owner)
                                .setter((item, value) -> item.owner = value))
                .addAttribute(
                        Instant.class,
                        attribute -> attribute
                                .name(BEAT_AT)
                                .getter(SessionItem::beatAt)
                                .setter((item, value) -> item.beatAt = value))
                .addAttribute(
                        Long.class,
                        attribute -> attribute
                                .name(settings.ttlAttribute())
                                .getter(SessionItem::expiresAt)
                                .setter((item, value) -> item.expiresAt = value))
                .build();
    }

    /** Filled by the schema while it reads an item. */
    static final class Builder {

        private String partitionKey = "";
        private String sortKey = "";
        private long beat;
        private String lease = "";
        private String owner = "";
        private Instant beatAt = Instant.EPOCH;
        private long expiresAt;

        SessionItem build() {
            return new SessionItem(partitionKey, sortKey, beat, lease, owner, beatAt, expiresAt);
        }
    }
}
