package io.dynamolock.store.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.Eviction;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.SessionStep;
import io.dynamolock.protocol.Step;
import io.dynamolock.store.LockPage;
import io.dynamolock.store.LockStore;
import io.dynamolock.store.LockStoreContract;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What {@link DynamoLockStore} promises beyond the contract of every store: its items. */
abstract class DynamoLockStoreContract extends LockStoreContract {

    private LockStore store;

    /** The store under test, on the same DynamoDB as {@link #client()}. */
    abstract LockStore storeOn(DynamoTableSettings settings);

    /** A client to prepare and inspect tables. */
    abstract DynamoDbAsyncClient client();

    @BeforeEach
    void createStore() {
        Tables.createOnce(getClass().getName(), client(), Tables.settings(""));
        store = storeOn(Tables.settings(""));
    }

    @Override
    protected LockStore store() {
        return store;
    }

    @Test
    void aLockItemLooksAsDocumented() {
        take(ask(alice));
        take(ask(bob));

        assertThat(item(key.key(), "default/"))
                .isEqualTo(Map.of(
                        "pk", string(key.key()),
                        "sk", string("default/"),
                        "tail", AttributeValue.fromN(Long.toString(BASE + 3)),
                        "queue", AttributeValue.fromL(List.of(string(alice), string(bob))),
                        "expiresAt", expiresAt(NOW)));
        assertThat(bob.toString()).isEqualTo(bob.session() + "1:2");
    }

    @Test
    void theDataOfALockLiesInItsItemAsDocumented() {
        take(ask(alice));
        take(new Step.Put(alice, 0, LockData.of("one")));

        assertThat(item(key.key(), "default/"))
                .containsEntry("data", AttributeValue.fromB(SdkBytes.fromUtf8String("one")))
                .containsEntry("puts", AttributeValue.fromN("1"));
        take(Step.Leave.of(0, alice, LockData.EMPTY));
        assertThat(item(key.key(), "default/"))
                .doesNotContainKey("data")
                .containsEntry("puts", AttributeValue.fromN("2"));
    }

    @Test
    void anAttributeOfThatNameThatIsNotBytesIsNoDataAndStopsNobody() {
        put(Map.of("pk", string(key.key()), "sk", string("default/"), "data", string("a user's")));

        assertThat(take(ask(alice)).item().data()).isEqualTo(LockData.EMPTY);
        assertThat(item(key.key(), "default/")).containsEntry("data", string("a user's"));
        assertThat(take(new Step.Put(alice, 0, LockData.of("one"))).isApplied()).isTrue();
        assertThat(look().data()).isEqualTo(LockData.of("one"));
    }

    @Test
    void aListShowsNothingButLocksOfItsOwnPrefix() {
        // Other tests share the table.
        String prefix = "list-one-" + key.key() + "#";
        LockStore one = storeOn(Tables.settings(prefix));
        LockStore two = storeOn(Tables.settings("list-two-" + key.key() + "#"));
        await(two.take(session, begin(), NOW));
        await(one.take(key, ask(alice), NOW));
        await(two.take(key, ask(bob), NOW));
        for (String sortKey : List.of("default", "default/about", "a/b/")) {
            put(Map.of("pk", string(prefix + key.key()), "sk", string(sortKey), "tail", string("not a lock's")));
        }

        assertThat(await(one.locks(key.key(), null)).locks()).isEqualTo(Map.of(key, lock(1, alice)));
        Map<LockKey, LockItem> all = new HashMap<>();
        LockPage page = await(two.locks(null, null));
        all.putAll(page.locks());
        while (page.last() != null) {
            page = await(two.locks(null, page.last()));
            all.putAll(page.locks());
        }
        assertThat(all)
                .containsEntry(key, lock(2, bob))
                .allSatisfy((lock, item) -> assertThat(item.queue()).containsExactly(bob));
    }

    private static LockItem lock(int tickets, Entry entry) {
        return new LockItem(BASE + tickets, List.of(entry));
    }

    @Test
    void aSessionItemLooksAsDocumented() {
        take(begin());
        assertThat(item("session#" + session, "session")).doesNotContainKeys("disputes", "evictions");
        await(store.take(session, beat(1), LATER));
        take(new SessionStep.Raise(dispute(64)));
        Entry seen = new Entry(new BlockId(session, 65), 70);
        take(new SessionStep.Evict(Eviction.of(key, seen, 123)));

        assertThat(item("session#" + session, "session"))
                .isEqualTo(Map.of(
                        "pk", string("session#" + session),
                        "sk", string("session"),
                        "beat", AttributeValue.fromN("1"),
                        "lease", string("PT20S"),
                        "owner", string("alice"),
                        "beatAt", string(LATER),
                        "disputes", AttributeValue.fromSs(List.of("10|default/" + key.key())),
                        "evictions", AttributeValue.fromSs(List.of("11|70|123|default/" + key.key())),
                        "expiresAt", expiresAt(LATER)));
    }

    @Test
    void theItemOfASessionThatOnlyKeepsALockLooksAsDocumented() {
        take(new SessionStep.Begin(LEASE, "alice", NOW, LATER));

        assertThat(item("session#" + session, "session"))
                .isEqualTo(Map.of(
                        "pk", string("session#" + session),
                        "sk", string("session"),
                        "beat", AttributeValue.fromN("0"),
                        "lease", string("PT20S"),
                        "owner", string("alice"),
                        "beatAt", string(NOW),
                        "keptUntil", string(LATER),
                        "expiresAt", expiresAt(NOW)));
    }

    @Test
    void everyWriteToALockPutsItsRemovalByTtlOff() {
        Entry grown = bob.grownBy(1);
        Instant now = NOW;
        for (Step step : List.of(
                ask(bob),
                new Step.Grow(0, bob, 1),
                new Step.Rename(grown, grown),
                new Step.Put(grown, 0, LockData.of("one")),
                Step.Leave.of(0, grown))) {
            now = now.plusSeconds(1);

            assertThat(await(store.take(key, step, now)).isApplied()).isTrue();

            assertThat(item(key.key(), "default/").get("expiresAt")).isEqualTo(expiresAt(now));
        }
        await(store.take(key, Step.Leave.of(0, grown), now.plusSeconds(1)));
        assertThat(item(key.key(), "default/").get("expiresAt"))
                .as("a refused step changes nothing")
                .isEqualTo(expiresAt(now));
    }

    @Test
    void storesWithDifferentPrefixesShareATableAndNothingElse() {
        LockStore one = storeOn(Tables.settings("one#"));
        LockStore two = storeOn(Tables.settings("two#"));
        await(one.take(session, begin(), NOW));

        assertThat(await(one.take(key, Step.Ask.ifFree(alice, BASE), NOW)).isApplied())
                .isTrue();
        assertThat(await(two.take(key, Step.Ask.ifFree(bob, BASE), NOW)).isApplied())
                .isTrue();
        assertThat(await(one.sessions(Set.of(session, bob.session()))))
                .hasEntrySatisfying(session, found -> assertThat(found).isPresent())
                .containsEntry(bob.session(), Optional.empty());
        assertThat(await(two.sessions(Set.of(session, bob.session()))))
                .isEqualTo(Map.of(session, Optional.empty(), bob.session(), Optional.empty()));
        assertThat(item("one#" + key.key(), "default/")).isNotEmpty();
        assertThat(item("one#session#" + session, "session")).isNotEmpty();
    }

    @Test
    void namesOfAttributesCanBeChosen() {
        DynamoTableSettings names = Tables.withOtherNames();
        Tables.createOnce(getClass().getName(), client(), names);
        LockStore renamed = storeOn(names);
        await(renamed.take(session, begin(), NOW));
        await(renamed.take(session, beat(1), NOW));
        await(renamed.take(key, ask(alice), NOW));
        await(renamed.take(key, new Step.Put(alice, 0, LockData.of("one")), NOW));

        assertThat(await(renamed.look(key, true)).first()).isEqualTo(alice);
        assertThat(await(renamed.look(key, true)).data()).isEqualTo(LockData.of("one"));
        assertThat(await(renamed.locks(key.key(), null)).locks()).containsOnlyKeys(key);
        assertThat(await(renamed.sessions(Set.of(session))).get(session)).isPresent();
        assertThat(await(renamed.sessions(Set.of(session, bob.session()))).get(session))
                .isPresent();
        assertThat(await(client().getItem(get -> get.tableName(names.tableName())
                                .key(Map.of("PK", string(key.key()), "sort-key", string("default/")))))
                        .item())
                .containsEntry("ttl", expiresAt(NOW))
                .containsEntry("note", AttributeValue.fromB(SdkBytes.fromUtf8String("one")))
                .doesNotContainKeys("pk", "sk", "expiresAt", "data");
    }

    @Test
    void aKeyThatLooksLikeASessionMeetsNone() {
        take(begin());
        LockKey lookalike = new LockKey("session#" + session, "session");

        await(store.take(lookalike, ask(bob), NOW));
        take(new SessionStep.End());

        assertThat(await(store.look(lookalike, true)).first()).isEqualTo(bob);
    }

    @Test
    void otherItemsAndAttributesUnderTheSameKeyAreLeftAlone() {
        for (String sortKey : List.of("default", "default/about", "session", "profile")) {
            put(Map.of("pk", string(key.key()), "sk", string(sortKey), "name", string("not ours")));
        }
        put(Map.of("pk", string(key.key()), "sk", string("default/"), "userData", string("precious")));

        assertThat(take(ask(alice))).isEqualTo(new Answer.Applied<>(new LockItem(BASE + 1, List.of(alice))));
        take(Step.Leave.of(0, alice));

        assertThat(item(key.key(), "default/")).containsEntry("userData", string("precious"));
        assertThat(item(key.key(), "session")).containsEntry("name", string("not ours"));
    }

    @Test
    void aDisputeNobodyCanReadIsPassedOver() {
        take(begin());
        await(client().updateItem(update -> update.tableName("locks")
                .key(Map.of("pk", string("session#" + session), "sk", string("session")))
                .updateExpression("ADD disputes :odd")
                .expressionAttributeValues(Map.of(
                        ":odd", AttributeValue.fromSs(List.of("odd", "|", "/|", "1|no slash", "!|a/b", "|a/b"))))));

        assertThat(take(beat(1)).item().orElseThrow().disputes()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "tail, S, x, not a number",
        "tail, N, 1.5, not a ticket: 1.5",
        "queue, S, x, not a list",
        "queue, L, x, 'not an entry of a queue: \"x\"'",
        "queue, L, 0123456789, not an entry of a queue",
        "queue, L, 0123456789A:, not a number",
        "queue, NL, 1, an entry that is not a string",
    })
    void anItemChangedByHandIsSaidToBeWrongAndHow(String attribute, String type, String value, String why) {
        AttributeValue odd = switch (type) {
            case "S" -> string(value);
            case "N" -> AttributeValue.fromN(value);
            case "L" -> AttributeValue.fromL(List.of(string(alice), string(value)));
            default -> AttributeValue.fromL(List.of(AttributeValue.fromN(value)));
        };
        put(Map.of("pk", string(key.key()), "sk", string("default/"), attribute, odd));

        Throwable failure = catchThrowable(this::look).getCause();

        assertThat(failure)
                .isInstanceOf(StoreFailure.class)
                .hasMessageContaining("the attribute \"" + attribute + "\" of a lock item is not as the locks write it")
                .hasMessageContaining(why)
                .hasMessageContaining("put it right, or delete the item")
                .hasMessageNotContaining(key.key());
        assertThat(((StoreFailure) failure).kind()).isEqualTo(StoreFailure.Kind.UNREADABLE);
    }

    @Test
    void anAskOfAQueueThatNobodyCanReadMayHaveLanded() {
        AttributeValue queue = AttributeValue.fromL(List.of(string("0123456789A 1")));
        put(Map.of("pk", string(key.key()), "sk", string("default/"), "queue", queue));

        StoreFailure landed =
                (StoreFailure) catchThrowable(() -> take(ask(alice))).getCause();
        StoreFailure refused =
                (StoreFailure) catchThrowable(() -> take(ask(alice))).getCause();

        assertThat(landed)
                .hasMessageContaining("not an entry of a queue: \"0123456789A 1\"")
                .hasMessageContaining("a later version of DynamoLock has written it")
                .matches(StoreFailure::mayHaveTakenEffect)
                .matches(StoreFailure::isForGood);
        assertThat(refused).as("it stands there already").hasMessageContaining("not an entry of a queue");
        assertThat(refused.kind()).isEqualTo(StoreFailure.Kind.REFUSED);
        assertThat(item(key.key(), "default/").get("queue").l()).hasSize(2);
    }

    @Test
    void aSessionItemChangedByHandIsSaidToBeWrong() {
        put(Map.of(
                "pk", string("session#" + session),
                "sk", string("session"),
                "beat", AttributeValue.fromN("1"),
                "lease", string("20 s"),
                "owner", string("alice"),
                "beatAt", string(NOW)));

        Throwable failure =
                catchThrowable(() -> await(store.sessions(Set.of(session)))).getCause();

        assertThat(failure)
                .isInstanceOf(StoreFailure.class)
                .hasMessageContaining("the item of session " + session + " is not as the locks write it");
        assertThat(((StoreFailure) failure).kind()).isEqualTo(StoreFailure.Kind.UNREADABLE);
    }

    @Test
    void aSessionThatCannotBeReadIsMissingAmongOthersAndHidesNone() {
        SessionId dead = newSession();
        SessionId lease = newSession();
        SessionId time = newSession();
        take(begin());
        for (SessionId poisoned : List.of(lease, time)) {
            put(Map.of(
                    "pk", string("session#" + poisoned),
                    "sk", string("session"),
                    "beat", AttributeValue.fromN("1"),
                    "lease", string(poisoned.equals(lease) ? "PT9223372036854775807S" : LEASE),
                    "owner", string("alice"),
                    "beatAt", string(poisoned.equals(lease) ? NOW : Instant.MAX)));
        }

        assertThat(await(store.sessions(Set.of(session, lease, time, dead))))
                .containsOnlyKeys(session, dead)
                .hasEntrySatisfying(session, living -> assertThat(living).isPresent())
                .containsEntry(dead, Optional.empty());
    }

    @Test
    void aLockThatCannotBeReadIsLeftOutOfAListAndHidesNoOther() {
        LockKey other = new LockKey(key.key(), "other");
        await(store.take(other, ask(bob), NOW));
        put(Map.of("pk", string(key.key()), "sk", string("default/"), "tail", string("poison")));

        assertThat(await(store.locks(key.key(), null)).locks()).containsOnlyKeys(other);
    }

    private Map<String, AttributeValue> item(String partitionKey, String sortKey) {
        return await(client().getItem(get -> get.tableName("locks")
                        .consistentRead(true)
                        .key(Map.of("pk", string(partitionKey), "sk", string(sortKey)))))
                .item();
    }

    private void put(Map<String, AttributeValue> item) {
        await(client().putItem(put -> put.tableName("locks").item(item)));
    }

    private static AttributeValue string(Object value) {
        return AttributeValue.fromS(value.toString());
    }

    private static AttributeValue expiresAt(Instant now) {
        return AttributeValue.fromN(Long.toString(now.getEpochSecond() + Tables.RETENTION.toSeconds()));
    }
}
