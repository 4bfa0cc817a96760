package io.dynamolock.store.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.store.BeatResult;
import io.dynamolock.store.Dispute;
import io.dynamolock.store.Holder;
import io.dynamolock.store.LockKey;
import io.dynamolock.store.LockState;
import io.dynamolock.store.LockStore;
import io.dynamolock.store.LockStoreContract;
import io.dynamolock.store.QueueView;
import io.dynamolock.store.SessionId;
import io.dynamolock.store.WriteResult;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/** What {@link DynamoLockStore} promises beyond the contract of every store: its items. */
abstract class DynamoLockStoreContract extends LockStoreContract {

    private static final Duration RETENTION = Duration.ofDays(7);
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(20);
    private static final Set<String> CREATED = new HashSet<>();

    private LockStore store;

    /** A client of the DynamoDB under test. */
    abstract DynamoDbAsyncClient client();

    @BeforeEach
    void createStore() {
        store = storeOn(settings(""));
    }

    @Override
    protected LockStore store() {
        return store;
    }

    @Test
    void aLockItemLooksAsDocumented() {
        await(store.tryAcquire(key, alice, 2, NOW));

        assertThat(item(key.key(), "default/"))
                .isEqualTo(Map.of(
                        "pk", AttributeValue.fromS(key.key()),
                        "sk", AttributeValue.fromS("default/"),
                        "tail", AttributeValue.fromN(Long.toString(BASE + 2)),
                        "serving", AttributeValue.fromN(Long.toString(BASE + 2)),
                        "holderSession", AttributeValue.fromS(alice.session().toString()),
                        "holderBlock", AttributeValue.fromS(alice.block().toString()),
                        "holderOwner", AttributeValue.fromS("alice"),
                        "holderSince", AttributeValue.fromS(NOW.toString()),
                        "expiresAt", expiresAt(NOW)));

        await(store.release(key, alice.block(), LATER));

        assertThat(item(key.key(), "default/"))
                .isEqualTo(Map.of(
                        "pk", AttributeValue.fromS(key.key()),
                        "sk", AttributeValue.fromS("default/"),
                        "tail", AttributeValue.fromN(Long.toString(BASE + 2)),
                        "serving", AttributeValue.fromN(Long.toString(BASE + 2)),
                        "expiresAt", expiresAt(LATER)));
    }

    @Test
    void aWaiterRowLooksAsDocumented() {
        await(store.enter(key, row(BASE + 1, BASE + 3, alice)));

        String sortKey = "default/0000000000000000000000" + (BASE + 1);
        assertThat(sortKey).hasSize("default/".length() + 38);
        assertThat(item(key.key(), sortKey))
                .isEqualTo(Map.of(
                        "pk", AttributeValue.fromS(key.key()),
                        "sk", AttributeValue.fromS(sortKey),
                        "last", AttributeValue.fromN(Long.toString(BASE + 3)),
                        "session", AttributeValue.fromS(alice.session().toString()),
                        "block", AttributeValue.fromS(alice.block().toString()),
                        "owner", AttributeValue.fromS("alice"),
                        "createdAt", AttributeValue.fromS(NOW.toString()),
                        "expiresAt", expiresAt(NOW)));
    }

    @Test
    void aSessionItemLooksAsDocumented() {
        SessionId id = alice.session();
        await(store.createSession(id, LEASE, "alice", NOW));
        await(store.beat(id, 1, Set.of(), LATER));
        await(store.dispute(id, new Dispute(key, alice.block())));

        assertThat(item("session#" + id, "session"))
                .isEqualTo(Map.of(
                        "pk", AttributeValue.fromS("session#" + id),
                        "sk", AttributeValue.fromS("session"),
                        "beat", AttributeValue.fromN("1"),
                        "lease", AttributeValue.fromS("PT20S"),
                        "owner", AttributeValue.fromS("alice"),
                        "beatAt", AttributeValue.fromS(LATER.toString()),
                        "disputes", AttributeValue.fromSs(List.of(alice.block() + "|default/" + key.key())),
                        "expiresAt", expiresAt(LATER)));
    }

    @Test
    void everyWriteToALockPutsItsRemovalByTtlOff() {
        Instant now = NOW;
        await(store.takeNumbers(key, 2, now = now.plusSeconds(1)));
        assertThat(lockItem().get("expiresAt")).isEqualTo(expiresAt(now));
        await(store.claim(key, alice, BASE + 1_000_001, null, now = now.plusSeconds(1)));
        assertThat(lockItem().get("expiresAt")).isEqualTo(expiresAt(now));
        await(store.handOver(key, alice.block(), bob, BASE + 1_000_002, now = now.plusSeconds(1)));
        assertThat(lockItem().get("expiresAt")).isEqualTo(expiresAt(now));
        await(store.extend(key, bob.block(), 1, now = now.plusSeconds(1)));
        assertThat(lockItem().get("expiresAt")).isEqualTo(expiresAt(now));
        await(store.rename(key, bob.block(), bob, now = now.plusSeconds(1)));
        assertThat(lockItem().get("expiresAt")).isEqualTo(expiresAt(now));
        await(store.release(key, bob.block(), now = now.plusSeconds(1)));
        assertThat(lockItem().get("expiresAt")).isEqualTo(expiresAt(now));
        await(store.tryAcquire(key, bob, 1, now = now.plusSeconds(1)));
        assertThat(lockItem().get("expiresAt")).isEqualTo(expiresAt(now));
    }

    @Test
    void storesWithDifferentPrefixesShareATableAndNothingElse() {
        LockStore one = storeOn(settings("one#"));
        LockStore two = storeOn(settings("two#"));
        await(one.createSession(alice.session(), LEASE, "alice", NOW));
        await(one.enter(key, row(3, 3, alice)));

        assertThat(await(one.tryAcquire(key, alice, 1, NOW))).isInstanceOf(WriteResult.Applied.class);
        assertThat(await(two.tryAcquire(key, bob, 1, NOW))).isInstanceOf(WriteResult.Applied.class);
        assertThat(await(two.look(key, 5)).rows()).isEmpty();
        assertThat(await(two.readSession(alice.session()))).isEmpty();
        assertThat(await(one.readSession(alice.session()))).isPresent();
        assertThat(item("one#" + key.key(), "default/")).isNotEmpty();
        assertThat(item("one#session#" + alice.session(), "session")).isNotEmpty();
    }

    @Test
    void namesOfAttributesCanBeChosen() {
        DynamoTableSettings other =
                new DynamoTableSettings("locks-other-names", "", "PK", "sort-key", "ttl", RETENTION, CALL_TIMEOUT);
        LockStore renamed = storeOn(other);
        await(renamed.createSession(alice.session(), LEASE, "alice", NOW));
        await(renamed.beat(alice.session(), 1, Set.of(), NOW));
        await(renamed.takeNumbers(key, 1, NOW));
        await(renamed.enter(key, row(BASE + 1, BASE + 1, alice)));
        await(renamed.claim(key, alice, BASE + 1, null, NOW));

        QueueView view = await(renamed.look(key, 1));

        assertThat(view.lock().isHeldBy(alice.block())).isTrue();
        assertThat(view.rows()).containsExactly(row(BASE + 1, BASE + 1, alice));
        assertThat(await(renamed.readSession(alice.session()))).isPresent();
        await(renamed.deleteRow(key, BASE + 1, alice.block()));
        await(renamed.bury(alice.session(), 1));
        List<Map<String, AttributeValue>> items = await(client().scan(scan -> scan.tableName("locks-other-names")))
                .items();
        assertThat(items)
                .singleElement()
                .satisfies(item -> assertThat(item)
                        .containsEntry("PK", AttributeValue.fromS(key.key()))
                        .containsEntry("sort-key", AttributeValue.fromS("default/"))
                        .containsEntry("ttl", expiresAt(NOW)));
        await(client().deleteItem(delete -> delete.tableName("locks-other-names")
                .key(Map.of(
                        "PK", items.get(0).get("PK"), "sort-key", items.get(0).get("sort-key")))));
    }

    @Test
    void aKeyThatLooksLikeASessionMeetsNone() {
        await(store.createSession(alice.session(), LEASE, "alice", NOW));
        LockKey lookalike = new LockKey("session#" + alice.session(), "session");

        await(store.tryAcquire(lookalike, bob, 1, NOW));
        await(store.endSession(alice.session()));

        assertThat(await(store.look(lookalike, 1)).lock().isHeldBy(bob.block())).isTrue();
    }

    @Test
    void otherItemsAndAttributesUnderTheSameKeyAreLeftAlone() {
        for (String sortKey : List.of("default", "default#1", "default/about", "profile", "default0")) {
            put(Map.of(
                    "pk", AttributeValue.fromS(key.key()),
                    "sk", AttributeValue.fromS(sortKey),
                    "name", AttributeValue.fromS("not ours")));
        }
        await(store.tryAcquire(key, alice, 1, NOW));
        await(client().updateItem(update -> update.tableName("locks")
                .key(Map.of("pk", AttributeValue.fromS(key.key()), "sk", AttributeValue.fromS("default/")))
                .updateExpression("SET userData = :data")
                .expressionAttributeValues(Map.of(":data", AttributeValue.fromS("precious")))));

        assertThat(await(store.look(key, 5)))
                .isEqualTo(new QueueView(new LockState(BASE + 1, BASE + 1, new Holder(alice, NOW)), List.of(), true));
        await(store.release(key, alice.block(), NOW));
        await(store.tryAcquire(key, bob, 1, NOW));
        assertThat(lockItem()).containsEntry("userData", AttributeValue.fromS("precious"));
    }

    @Test
    void aQueueTooLargeForOneAnswerIsNotTakenForComplete() {
        String verbose = "x".repeat(300_000);
        for (int number = 1; number <= 8; number++) {
            await(store.enter(key, row(number, number, claimant(verbose))));
        }

        QueueView view = await(store.look(key, 10));

        assertThat(view.complete()).isFalse();
        assertThat(view.rows()).hasSizeBetween(1, 7);
        assertThat(view.rows().get(0).first()).isEqualTo(1);
    }

    @Test
    void aDisputeNobodyCanReadIsPassedOver() {
        await(store.createSession(alice.session(), LEASE, "alice", NOW));
        await(client().updateItem(update -> update.tableName("locks")
                .key(Map.of(
                        "pk", AttributeValue.fromS("session#" + alice.session()),
                        "sk", AttributeValue.fromS("session")))
                .updateExpression("ADD disputes :odd")
                .expressionAttributeValues(Map.of(
                        ":odd",
                        AttributeValue.fromSs(
                                List.of("odd", UUID.randomUUID() + "|no slash", "x".repeat(36) + "|a/b"))))));

        assertThat(await(store.beat(alice.session(), 1, Set.of(), NOW))).isEqualTo(new BeatResult.Alive(Set.of()));
    }

    private static DynamoTableSettings settings(String keyPrefix) {
        return new DynamoTableSettings("locks", keyPrefix, "pk", "sk", "expiresAt", RETENTION, CALL_TIMEOUT);
    }

    private LockStore storeOn(DynamoTableSettings settings) {
        if (CREATED.add(getClass().getName() + settings.tableName())) {
            createTable(settings);
        }
        return new DynamoLockStore(client(), settings);
    }

    private void createTable(DynamoTableSettings settings) {
        try {
            await(client().createTable(create -> create.tableName(settings.tableName())
                    .billingMode(BillingMode.PAY_PER_REQUEST)
                    .keySchema(
                            key(settings.partitionKeyAttribute(), KeyType.HASH),
                            key(settings.sortKeyAttribute(), KeyType.RANGE))
                    .attributeDefinitions(
                            string(settings.partitionKeyAttribute()), string(settings.sortKeyAttribute()))));
        } catch (CompletionException exists) {
            assertThat(exists).hasCauseInstanceOf(ResourceInUseException.class);
        }
    }

    private static KeySchemaElement key(String attribute, KeyType type) {
        return KeySchemaElement.builder().attributeName(attribute).keyType(type).build();
    }

    private static AttributeDefinition string(String attribute) {
        return AttributeDefinition.builder()
                .attributeName(attribute)
                .attributeType(ScalarAttributeType.S)
                .build();
    }

    private Map<String, AttributeValue> lockItem() {
        return item(key.key(), "default/");
    }

    private Map<String, AttributeValue> item(String partitionKey, String sortKey) {
        return await(client().getItem(get -> get.tableName("locks")
                        .consistentRead(true)
                        .key(Map.of("pk", AttributeValue.fromS(partitionKey), "sk", AttributeValue.fromS(sortKey)))))
                .item();
    }

    private void put(Map<String, AttributeValue> item) {
        await(client().putItem(put -> put.tableName("locks").item(item)));
    }

    private static AttributeValue expiresAt(Instant now) {
        return AttributeValue.fromN(Long.toString(now.getEpochSecond() + RETENTION.toSeconds()));
    }
}
