package io.dynamolock.internal.store.dynamodb;

import static io.dynamolock.internal.protocol.Edits.BASE;
import static io.dynamolock.internal.protocol.Edits.append;
import static io.dynamolock.internal.protocol.Edits.reissue;
import static io.dynamolock.internal.protocol.Edits.remove;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.Edit;
import io.dynamolock.internal.protocol.Edits;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.Expiry;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.protocol.Notice;
import io.dynamolock.internal.protocol.SessionEdit;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.LockStore;
import io.dynamolock.internal.store.LockStoreContract;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.store.StoreFailure.Unreadable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** What {@link DynamoStore} promises beyond the contract of every store: its items. */
abstract class DynamoStoreContract extends LockStoreContract {

    private DynamoStore store;

    /** The store under test, on the same DynamoDB as {@link #client()}. */
    abstract DynamoStore storeOn(DynamoTableSettings settings);

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

    // What the items look like

    @Test
    void aLockItemLooksAsDocumented() {
        Entry kept = new Entry.Kept(Mode.EXCLUSIVE, Instant.ofEpochMilli(64));
        edit(append(FULL, alice));
        edit(append(FULL, bob, kept));

        assertThat(item(key.key(), "default/"))
                .isEqualTo(Map.of(
                        "pk", string(key.key()),
                        "sk", string("default/"),
                        "tail", AttributeValue.fromN(Long.toString(BASE + 4)),
                        "queue",
                                AttributeValue.fromL(List.of(string(alice.text()), string(bob.text()), string("!:10"))),
                        "expiresAt", lockExpiresAt(NOW)));
        assertThat(bob.text()).isEqualTo(bob.session() + "1:2");
        assertThat(carol.text()).isEqualTo(carol.session() + "1=1");
    }

    @Test
    void permitsAndDataAreInTheItemAsDocumented() {
        edit(Edits.edit(Map.of(), null, FULL, 3, false, LockData.of("one"), 0, entry(session, 1, Mode.PERMIT, 1)));

        assertThat(item(key.key(), "default/"))
                .containsEntry("queue", AttributeValue.fromL(List.of(string(session + "1+1"))))
                .containsEntry("permits", AttributeValue.fromN("3"))
                .containsEntry("data", AttributeValue.fromB(SdkBytes.fromUtf8String("one")));
        edit(Edits.edit(Map.of(), null, 0, 0, true, LockData.EMPTY, 0));
        assertThat(item(key.key(), "default/")).doesNotContainKey("data");
    }

    @Test
    void aSessionItemLooksAsDocumented() {
        edit(begin());
        assertThat(item("session#" + session, "session")).doesNotContainKey("notices");
        await(store.edit(session, heartbeat(1), LATER));
        edit(new SessionEdit.Notify(notice(64)));
        edit(new SessionEdit.Notify(new Notice(Notice.Wish.EVICT, key, 65)));

        Map<String, AttributeValue> item = item("session#" + session, "session");
        assertThat(item)
                .isEqualTo(Map.of(
                        "pk", string("session#" + session),
                        "sk", string("session"),
                        "heartbeat", AttributeValue.fromN("1"),
                        "lease", string("PT20S"),
                        "owner", string("alice"),
                        "heartbeatAt", string(LATER),
                        "notices",
                                AttributeValue.fromSs(List.of("!11|default/" + key.key(), "?10|default/" + key.key())),
                        "expiresAt", expiresAt(LATER)));
    }

    @Test
    void onlyAnEditThatSaysSoChangesWhenTtlMayRemoveTheItem() {
        edit(append(FULL, alice));
        Instant later = Instant.parse("2026-05-05T05:05:05Z");

        for (Edit blind : List.of(
                append(FULL, bob),
                reissue(0, alice, carol, LockData.of("one")),
                remove(Map.of(0, carol)),
                Edits.permits(3))) {
            assertThat(await(store.edit(key, blind, LATER)).isApplied()).isTrue();
            assertThat(item(key.key(), "default/")).containsEntry("expiresAt", lockExpiresAt(NOW));
        }
        await(store.edit(key, Edits.expiring(later, remove(Map.of(0, alice))), LATER));
        assertThat(item(key.key(), "default/"))
                .as("a refused edit changes nothing")
                .containsEntry("expiresAt", lockExpiresAt(NOW));

        await(store.edit(key, Edits.expiring(later, remove(Map.of(0, bob))), LATER));

        assertThat(item(key.key(), "default/"))
                .containsEntry("expiresAt", AttributeValue.fromN(Long.toString(later.getEpochSecond())));
        assertThat(read().expiresAt()).isEqualTo(later);
    }

    /** Otherwise TTL could remove the item just after somebody has got the lock by it. */
    @Test
    void noEntryIsAppendedToAnItemThatTtlMayRemoveWithinADay() {
        Instant end = Instant.parse("2026-03-10T00:00:00Z");
        Instant tooLate = end.minus(Duration.ofDays(1)).plusSeconds(1);
        edit(append(FULL, alice));
        edit(Edits.expiring(end, remove(Map.of(0, alice))));

        Answer<LockItem> refused = await(store.edit(key, append(FULL, bob), tooLate));

        assertThat(refused.isApplied()).isFalse();
        assertThat(refused.item().expiresAt()).isEqualTo(end);
        assertThat(await(store.edit(key, remove(Map.of()), tooLate)).isApplied())
                .as("an edit that appends nothing")
                .isTrue();
        assertThat(await(store.edit(key, append(FULL, carol), tooLate.minusSeconds(1)))
                        .isApplied())
                .as("an append in time")
                .isTrue();
        Edit postponing = Edits.expiring(end.plus(Duration.ofDays(1)), append(FULL, bob));
        assertThat(await(store.edit(key, postponing, tooLate)).isApplied()).isTrue();
    }

    @Test
    void namesOfAttributesCanBeChosen() {
        DynamoTableSettings names = Tables.withOtherNames();
        Tables.createOnce(getClass().getName(), client(), names);
        DynamoStore renamed = storeOn(names);
        await(renamed.edit(session, begin(), NOW));
        await(renamed.edit(session, heartbeat(1), NOW));
        await(renamed.edit(key, Edits.edit(Map.of(), null, FULL, 0, false, LockData.of("one"), 0, alice), NOW));

        assertThat(await(renamed.read(key, true)).content()).isEqualTo(lockItem(BASE + 1, alice, LockData.of("one")));
        assertThat(await(renamed.locks(key.key(), null)).locks()).containsOnlyKeys(key);
        assertThat(await(renamed.sessions(Set.of(session))).content().get(session))
                .isPresent();
        assertThat(await(renamed.sessions(Set.of(session, bob.session())))
                        .content()
                        .get(session))
                .isPresent();
        assertThat(await(client().getItem(get -> get.tableName(names.tableName())
                                .key(Map.of("PK", string(key.key()), "sort-key", string("default/")))))
                        .item())
                .containsEntry("ttl", lockExpiresAt(NOW))
                .containsEntry("note", AttributeValue.fromB(SdkBytes.fromUtf8String("one")))
                .doesNotContainKeys("pk", "sk", "expiresAt", "data");
    }

    // What else lies in the table

    @Test
    void storesWithDifferentPrefixesShareATableAndNothingElse() {
        DynamoStore one = storeOn(Tables.settings("one#"));
        DynamoStore two = storeOn(Tables.settings("two#"));
        await(one.edit(session, begin(), NOW));

        assertThat(await(one.edit(key, append(1, alice), NOW)).isApplied()).isTrue();
        assertThat(await(two.edit(key, append(1, bob), NOW)).isApplied()).isTrue();
        assertThat(await(one.sessions(Set.of(session, bob.session()))).content())
                .hasEntrySatisfying(session, found -> assertThat(found).isPresent())
                .containsEntry(bob.session(), Optional.empty());
        assertThat(await(two.sessions(Set.of(session, bob.session()))).content())
                .isEqualTo(Map.of(session, Optional.empty(), bob.session(), Optional.empty()));
        assertThat(item("one#" + key.key(), "default/")).isNotEmpty();
        assertThat(item("one#session#" + session, "session")).isNotEmpty();
    }

    @Test
    void aListContainsOnlyLocksOfItsOwnPrefix() {
        // Other tests share the table.
        String prefix = "list-one-" + key.key() + "#";
        DynamoStore one = storeOn(Tables.settings(prefix));
        DynamoStore two = storeOn(Tables.settings("list-two-" + key.key() + "#"));
        await(two.edit(session, begin(), NOW));
        await(one.edit(key, append(FULL, alice), NOW));
        await(two.edit(key, append(FULL, bob), NOW));
        for (String sortKey : List.of("default", "default/about", "a/b/")) {
            put(Map.of("pk", string(prefix + key.key()), "sk", string(sortKey), "tail", string("not a lock's")));
        }

        assertThat(await(one.locks(key.key(), null)).locks())
                .isEqualTo(Map.of(key, lockItem(BASE + 1, alice, LockData.EMPTY)));
        assertThat(listed(two, null)).isEqualTo(Map.of(key, lockItem(BASE + 2, bob, LockData.EMPTY)));
    }

    @Test
    void aLockWhoseKeyLooksLikeASessionNeverMeetsASession() {
        edit(begin());
        LockKey lookalike = new LockKey("session#" + session, "session");

        await(store.edit(lookalike, append(FULL, bob), NOW));
        edit(new SessionEdit.End());

        assertThat(await(store.read(lookalike, true)).content().first()).isEqualTo(bob);
    }

    @Test
    void otherItemsAndAttributesUnderTheSameKeyAreLeftAlone() {
        for (String sortKey : List.of("default", "default/about", "session", "profile")) {
            put(Map.of("pk", string(key.key()), "sk", string(sortKey), "name", string("not ours")));
        }
        put(Map.of("pk", string(key.key()), "sk", string("default/"), "userData", string("precious")));

        assertThat(edit(append(FULL, alice))).isEqualTo(new Answer<>(lockItem(BASE + 1, alice, LockData.EMPTY), true));
        edit(remove(Map.of(0, alice)));

        assertThat(item(key.key(), "default/")).containsEntry("userData", string("precious"));
        assertThat(item(key.key(), "session")).containsEntry("name", string("not ours"));
    }

    @Test
    void aDataAttributeThatIsNotBytesCountsAsNoData() {
        put(Map.of("pk", string(key.key()), "sk", string("default/"), "data", string("a user's")));

        assertThat(edit(append(FULL, alice)).item().data()).isEqualTo(LockData.EMPTY);
        assertThat(item(key.key(), "default/")).containsEntry("data", string("a user's"));
        assertThat(edit(reissue(0, alice, bob, LockData.of("one"))).item().data())
                .isEqualTo(LockData.of("one"));
    }

    // Fences

    @Test
    void aFenceHoldsWhileItsEntryIsInTheQueueAtAnyPlace() {
        edit(append(FULL, carol, alice));

        assertThat(isFencedWriteCarriedOut(alice)).isTrue();
        edit(remove(Map.of(0, carol)));
        assertThat(isFencedWriteCarriedOut(alice)).isTrue();
        edit(reissue(0, alice, bob, null));
        assertThat(isFencedWriteCarriedOut(alice)).isFalse();
        edit(remove(Map.of(0, bob)));
        assertThat(isFencedWriteCarriedOut(bob)).isFalse();
        assertThat(isFencedWriteCarriedOut(carol)).isFalse();
    }

    private boolean isFencedWriteCarriedOut(Entry entry) {
        Map<String, AttributeValue> order = Map.of("pk", string(key.key()), "sk", string("order"));
        try {
            await(client().transactWriteItems(write -> write.transactItems(
                    TransactWriteItem.builder()
                            .conditionCheck(store.fence(key, entry))
                            .build(),
                    TransactWriteItem.builder()
                            .put(Put.builder().tableName("locks").item(order).build())
                            .build())));
            return true;
        } catch (CompletionException failure) {
            assertThat(failure).hasCauseInstanceOf(TransactionCanceledException.class);
            return false;
        }
    }

    // Items that somebody has changed

    @ParameterizedTest
    @CsvSource({
        "tail, S, x, not a number",
        "tail, N, 1.5, not a number from 0 to 9223372036854775807: 1.5",
        "permits, N, 4294967297, not a number from 0 to 2147483647: 4294967297",
        "queue, S, x, not a list",
        "queue, L, x, no entry of a queue",
        "queue, L, 0123456789, no entry of a queue",
        "queue, L, 0123456789A:, not a number",
        "queue, L, 012345678901:1, not written as edits write it",
        "queue, NL, 1, an entry that is not a string",
    })
    void anItemChangedByHandIsSaidToBeWrongAndHow(String attribute, String type, String value, String why) {
        AttributeValue odd = switch (type) {
            case "S" -> string(value);
            case "N" -> AttributeValue.fromN(value);
            case "L" -> AttributeValue.fromL(List.of(string(alice.text()), string(value)));
            default -> AttributeValue.fromL(List.of(AttributeValue.fromN(value)));
        };
        put(Map.of("pk", string(key.key()), "sk", string("default/"), attribute, odd));

        StoreFailure failure = failure(this::read);

        assertThat(failure.kind()).isEqualTo(StoreFailure.Kind.UNREADABLE);
        assertThat(failure)
                .hasMessageContainingAll(
                        "the attribute \"" + attribute + "\" of a lock item is not as the locks write it",
                        why,
                        "put it right, or delete the item if nobody holds the lock")
                .hasMessageNotContaining(key.key());
    }

    @Test
    void anAppendToAnUnreadableQueueMayHaveTakenEffect() {
        AttributeValue queue = AttributeValue.fromL(List.of(string("0123456789A 1")));
        put(Map.of("pk", string(key.key()), "sk", string("default/"), "queue", queue));

        StoreFailure landed = failure(() -> edit(append(FULL, alice)));
        StoreFailure refused = failure(() -> edit(append(1, alice)));

        assertThat(landed)
                .hasMessageContaining("somebody has changed it")
                .matches(StoreFailure::mayHaveTakenEffect)
                .matches(StoreFailure::isForGood);
        assertThat(landed.hasTakenEffect()).isTrue();
        assertThat(refused.kind()).isEqualTo(StoreFailure.Kind.UNREADABLE);
        assertThat(refused.mayHaveTakenEffect()).isFalse();
        assertThat(item(key.key(), "default/").get("queue").l()).hasSize(2);
    }

    // Formats

    @Test
    void nobodyEntersALockOfAnotherFormatAndWhoeverIsInsideCanLeave() {
        edit(append(FULL, alice, bob));
        setFormat(key.key(), "default/", 1);

        for (Edit entering : List.of(
                append(FULL, carol),
                Edits.edit(Map.of(0, alice), null, FULL, 0, true, null, 0, carol),
                Edits.edit(Map.of(), null, 0, 0, false, null, 3))) {
            StoreFailure refused = failure(() -> edit(entering));
            assertThat(refused.unreadable()).contains(new Unreadable(Unreadable.Item.LOCK, Unreadable.Reason.FORMAT));
            assertThat(refused.key()).contains(key);
            assertThat(refused.mayHaveTakenEffect()).isFalse();
            assertThat(refused).hasMessageContaining("has format 1").hasMessageNotContaining(key.key());
        }
        assertThat(failure(this::read).unreadable()).isPresent();
        assertThat(listed(key.key())).isEmpty();

        Entry again = entry(session, 9, Mode.EXCLUSIVE, 1);
        assertThat(failure(() -> edit(reissue(0, alice, again, null))).hasTakenEffect())
                .isTrue();
        assertThat(failure(() -> edit(remove(Map.of(0, again)))).hasTakenEffect())
                .isTrue();
        assertThat(item(key.key(), "default/"))
                .containsEntry("queue", AttributeValue.fromL(List.of(string(bob.text()))));
    }

    @Test
    void aSessionOfAnotherFormatIsLeftAloneByOthersAndEndedByItsProcess() {
        edit(begin());
        setFormat("session#" + session, "session", 1);

        for (SessionEdit ofOthers : List.of(new SessionEdit.Expire(0), new SessionEdit.Notify(notice(64)))) {
            StoreFailure refused = failure(() -> edit(ofOthers));
            assertThat(refused.unreadable())
                    .contains(new Unreadable(Unreadable.Item.SESSION, Unreadable.Reason.FORMAT));
            assertThat(refused.mayHaveTakenEffect()).isFalse();
        }
        assertThat(failure(() -> edit(heartbeat(1))).hasTakenEffect()).isTrue();
        edit(new SessionEdit.End());
        assertThat(item("session#" + session, "session")).isEmpty();

        setFormat("session#" + session, "session", 1);
        assertThat(failure(() -> edit(begin())).mayHaveTakenEffect()).isFalse();
    }

    @Test
    void aFenceOfALockOfAnotherFormatRefusesTheTransaction() {
        edit(append(FULL, alice));
        setFormat(key.key(), "default/", 1);

        Throwable failure = catchThrowable(() ->
                await(client().transactWriteItems(write -> write.transactItems(TransactWriteItem.builder()
                        .conditionCheck(store.fence(key, alice))
                        .build()))));

        assertThat(failure).hasCauseInstanceOf(TransactionCanceledException.class);
    }

    private void setFormat(String partitionKey, String sortKey, int format) {
        await(client().updateItem(update -> update.tableName("locks")
                .key(Map.of("pk", string(partitionKey), "sk", string(sortKey)))
                .updateExpression("SET #format = :format")
                .expressionAttributeNames(Map.of("#format", "dynamolock:format"))
                .expressionAttributeValues(Map.of(":format", AttributeValue.fromN(Integer.toString(format))))));
    }

    @Test
    void aMalformedLockIsLeftOutOfAListAndHidesNoOther() {
        LockKey other = new LockKey(key.key(), "other");
        await(store.edit(other, append(FULL, bob), NOW));
        put(Map.of("pk", string(key.key()), "sk", string("default/"), "tail", string("poison")));

        assertThat(listed(key.key())).containsOnlyKeys(other);
    }

    @Test
    void aMalformedSessionIsReportedWhenReadAloneAndHidesNoOther() {
        SessionId dead = newSession();
        SessionId lease = newSession();
        SessionId time = newSession();
        edit(begin());
        for (SessionId poisoned : List.of(lease, time)) {
            put(Map.of(
                    "pk", string("session#" + poisoned),
                    "sk", string("session"),
                    "heartbeat", AttributeValue.fromN("1"),
                    "lease", string(poisoned.equals(lease) ? "PT9223372036854775807S" : LEASE),
                    "owner", string("alice"),
                    "heartbeatAt", string(poisoned.equals(lease) ? NOW : Instant.MAX)));
        }

        assertThat(await(store.sessions(Set.of(session, lease, time, dead))).content())
                .containsOnlyKeys(session, dead)
                .hasEntrySatisfying(session, living -> assertThat(living).isPresent())
                .containsEntry(dead, Optional.empty());
        StoreFailure failure =
                failure(() -> await(store.sessions(Set.of(lease))).content());
        assertThat(failure.kind()).isEqualTo(StoreFailure.Kind.UNREADABLE);
        assertThat(failure)
                .hasMessageContainingAll(
                        "the item of session " + lease + " is not as the locks write it",
                        "delete the item only if its process has stopped");
    }

    private static StoreFailure failure(Runnable call) {
        Throwable cause = catchThrowable(call::run).getCause();
        assertThat(cause).isInstanceOf(StoreFailure.class);
        return (StoreFailure) cause;
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

    private static LockItem lockItem(long tail, Entry entry, LockData data) {
        return new LockItem(tail, List.of(entry), 0, data, Expiry.of(NOW, Tables.RETENTION));
    }

    /** What the store sets in a lock's item if the edit sets nothing. */
    private static AttributeValue lockExpiresAt(Instant now) {
        return expiresAt(now.plus(Duration.ofDays(1)));
    }

    private static AttributeValue expiresAt(Instant now) {
        return AttributeValue.fromN(Long.toString(now.getEpochSecond() + Tables.RETENTION.toSeconds()));
    }
}
