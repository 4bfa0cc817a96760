package io.dynamolock.store.dynamodb;

import io.dynamolock.store.BlockId;
import io.dynamolock.store.Claimant;
import io.dynamolock.store.LockKey;
import io.dynamolock.store.SessionId;
import io.dynamolock.store.WaiterRow;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags;
import software.amazon.awssdk.enhanced.dynamodb.mapper.StaticImmutableTableSchema;

/** A waiter row as an item. */
record WaiterItem(
        String partitionKey,
        String sortKey,
        long last,
        String session,
        String block,
        String owner,
        Instant createdAt,
        long expiresAt) {

    static final String BLOCK = "block";

    static final List<String> ATTRIBUTES = List.of("last", "session", BLOCK, "owner", "createdAt");

    static WaiterItem of(LockKey key, WaiterRow row, ItemKeys keys, DynamoTableSettings settings) {
        return new WaiterItem(
                keys.partition(key),
                keys.rowSortKey(key, row.first()),
                row.last(),
                row.claimant().session().toString(),
                row.claimant().block().toString(),
                row.claimant().owner(),
                row.createdAt(),
                LockUpdates.expiresAt(settings, row.createdAt()));
    }

    WaiterRow row() {
        Claimant claimant =
                new Claimant(new SessionId(UUID.fromString(session)), new BlockId(UUID.fromString(block)), owner);
        return new WaiterRow(ItemKeys.firstTicket(sortKey), last, claimant, createdAt);
    }

    static TableSchema<WaiterItem> schema(DynamoTableSettings settings) {
        return StaticImmutableTableSchema.builder(WaiterItem.class, Builder.class)
                .newItemBuilder(Builder::new, Builder::build)
                .addAttribute(
                        String.class,
                        attribute -> attribute
                                .name(settings.partitionKeyAttribute())
                                .getter(WaiterItem::partitionKey)
                                .setter((item, value) -> item.partitionKey = value)
                                .tags(StaticAttributeTags.primaryPartitionKey()))
                .addAttribute(
                        String.class,
                        attribute -> attribute
                                .name(settings.sortKeyAttribute())
                                .getter(WaiterItem::sortKey)
                                .setter((item, value) -> item.sortKey = value)
                                .tags(StaticAttributeTags.primarySortKey()))
                .addAttribute(
                        Long.class,
                        attribute -> attribute
                                .name("last")
                                .getter(WaiterItem::last)
                                .setter((item, value) -> item.last = value))
                .addAttribute(
                        String.class,
                        attribute -> attribute
                                .name("session")
                                .getter(WaiterItem::session)
                                .setter((item, value) -> item.session = value))
                .addAttribute(
                        String.class,
                        attribute -> attribute
                                .name(BLOCK)
                                .getter(WaiterItem::block)
                                .setter((item, value) -> item.block = value))
                .addAttribute(
                        String.class,
                        attribute -> attribute
                                .name("owner")
                                .getter(WaiterItem::owner)
                                .setter((item, value) -> item.owner = value))
                .addAttribute(
                        Instant.class,
                        attribute -> attribute
                                .name("createdAt")
                                .getter(WaiterItem::createdAt)
                                .setter((item, value) -> item.createdAt = value))
                .addAttribute(
                        Long.class,
                        attribute -> attribute
                                .name(settings.ttlAttribute())
                                .getter(WaiterItem::expiresAt)
                                .setter((item, value) -> item.expiresAt = value))
                .build();
    }

    /** Filled by the schema while it reads an item. */
    static final class Builder {

        private String partitionKey = "";
        private String sortKey = "";
        private long last;
        private String session = "";
        private String block = "";
        private String owner = "";
        private Instant createdAt = Instant.EPOCH;
        private long expiresAt;

        WaiterItem build() {
            return new WaiterItem(partitionKey, sortKey, last, session, block, owner, createdAt, expiresAt);
        }
    }
}
