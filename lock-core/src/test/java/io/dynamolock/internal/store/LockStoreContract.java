package io.dynamolock.internal.store;

import static io.dynamolock.internal.protocol.Edits.BASE;
import static io.dynamolock.internal.protocol.Edits.append;
import static io.dynamolock.internal.protocol.Edits.reissue;
import static io.dynamolock.internal.protocol.Edits.remove;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.Edit;
import io.dynamolock.internal.protocol.Edits;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.protocol.Notice;
import io.dynamolock.internal.protocol.SessionEdit;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.protocol.SessionItem;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every {@link LockStore} promises: to do what {@link Edit} and {@link SessionEdit} say, atomically. That each
 * edit has the effect and the refusal that they say, {@code EditsOnDynamoDbTest} shows by thousands of random ones.
 * Each test works on keys and sessions of its own.
 */
public abstract class LockStoreContract {

    protected static final Instant NOW = Instant.parse("2026-03-04T05:06:07.123456789Z");
    protected static final Instant LATER = NOW.plusSeconds(10);
    protected static final Duration LEASE = Duration.ofSeconds(20);
    protected static final int FULL = 200;

    protected final LockKey key = new LockKey("customer:" + UUID.randomUUID(), "default");
    protected final SessionId session = newSession();
    protected final Entry alice = entry(session, 1, Mode.EXCLUSIVE, 1);
    protected final Entry bob = entry(newSession(), 1, Mode.EXCLUSIVE, 2);
    protected final Entry carol = entry(newSession(), 1, Mode.SHARED, 1);

    /** The store under test; always the same one, or several on the same table. */
    protected abstract LockStore store();

    // Locks

    @Test
    void oneEditRemovesAHundredEntriesOfAFullQueueAndAppendsOthers() {
        List<Entry> full = IntStream.rangeClosed(1, FULL)
                .mapToObj(number -> entry(session, number, Mode.EXCLUSIVE, 1))
                .toList();
        edit(append(FULL, full.toArray(Entry[]::new)));
        Map<Integer, Entry> dead = new HashMap<>();
        IntStream.range(FULL - Edit.MOST_REMOVED, FULL).forEach(index -> dead.put(index, full.get(index)));

        Answer<LockItem> answer =
                edit(Edits.edit(dead, new Edit.Reissue(0, full.get(0), alice), FULL, 0, true, null, 0, bob, carol));

        assertThat(answer.isApplied()).isTrue();
        assertThat(answer.item().queue()).hasSize(FULL - Edit.MOST_REMOVED + 2).startsWith(alice, full.get(1));
        assertThat(answer.item().queue()).endsWith(full.get(FULL - Edit.MOST_REMOVED - 1), bob, carol);
    }

    @Test
    void concurrentAppendsEachGetAPlaceAndTicketsOfTheirOwn() {
        List<CompletionStage<Answer<LockItem>>> answers = IntStream.rangeClosed(1, 10)
                .mapToObj(number ->
                        store().edit(key, append(FULL, entry(session, number, Mode.EXCLUSIVE, number)), NOW))
                .toList();

        Set<Entry> last = new HashSet<>();
        for (CompletionStage<Answer<LockItem>> answer : answers) {
            LockItem item = await(answer).item();
            assertThat(item.tail())
                    .isEqualTo(BASE + item.slotsBefore(item.queue().size()));
            last.add(item.queue().get(item.queue().size() - 1));
        }
        assertThat(last).hasSize(10);
        assertThat(read().queue()).hasSize(10);
    }

    @Test
    void ofManyConcurrentTriesForAFreeLockExactlyOneSucceeds() {
        List<CompletionStage<Answer<LockItem>>> answers = IntStream.rangeClosed(1, 10)
                .mapToObj(number -> store().edit(key, append(1, entry(session, number, Mode.EXCLUSIVE, 1)), NOW))
                .toList();

        assertThat(answers.stream().map(LockStoreContract::await).filter(Answer::isApplied))
                .hasSize(1);
    }

    @Test
    void theLargestDataIsStoredAndStaysUntilItIsRemoved() {
        byte[] bytes = new byte[LockData.MOST_BYTES];
        Arrays.fill(bytes, (byte) -3);
        edit(append(FULL, alice, bob));

        edit(reissue(0, alice, carol, LockData.of(bytes)));
        edit(remove(Map.of(0, carol)));
        assertThat(read().data().bytes()).isEqualTo(bytes);

        edit(reissue(0, bob, carol, LockData.EMPTY));
        assertThat(read().data()).isEqualTo(LockData.EMPTY);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLockThatWasNeverAcquiredIsAbsent(boolean consistent) {
        assertThat(await(store().read(key, consistent)).content()).isEqualTo(LockItem.ABSENT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a b", "a/b", "a|b", "a#b", "session#x", "Straße", "東京", "😀", "\u0000", "\"'\\", " leading", "."
            })
    void anyKeyIsALockOfItsOwn(String odd) {
        LockKey oddKey = new LockKey(odd + UUID.randomUUID(), "default");
        await(store().edit(oddKey, append(FULL, alice), NOW));

        assertThat(await(store().read(oddKey, true)).content().first()).isEqualTo(alice);
        assertThat(await(store().read(new LockKey(oddKey.key(), "other"), true)).content())
                .as("namespaces are locks apart")
                .isEqualTo(LockItem.ABSENT);
    }

    @Test
    void aKeyMayHaveTheGreatestLengthThatDynamoDbTakes() {
        LockKey longest = new LockKey("x".repeat(2_000) + UUID.randomUUID(), "n".repeat(1_000));
        await(store().edit(longest, append(FULL, alice), NOW));

        assertThat(await(store().read(longest, true)).content().first()).isEqualTo(alice);
    }

    // Lists

    @Test
    void aListOfAKeyHasItsLocksInAllNamespacesHeldOrNot() {
        LockKey second = new LockKey(key.key(), "a|b#c");
        edit(append(FULL, alice));
        edit(remove(Map.of(0, alice)));
        await(store().edit(second, append(FULL, bob), NOW));
        await(store().edit(new LockKey(key.key() + "0", "default"), append(FULL, carol), NOW));
        edit(begin());

        Map<LockKey, LockItem> listed = listed(key.key());
        assertThat(listed).containsOnlyKeys(key, second);
        assertThat(listed.get(key)).isEqualTo(read());
        assertThat(listed.get(key).queue()).isEmpty();
        assertThat(listed.get(second).queue()).containsExactly(bob);
        assertThat(listed("nobody's " + key.key())).isEmpty();
    }

    @Test
    void aLongListOfLocksIsReadPageByPage() {
        LockData large = LockData.of(new byte[LockData.MOST_BYTES]);
        for (int i = 0; i < 120; i++) {
            Edit edit = Edits.edit(Map.of(), null, FULL, 0, false, i < 20 ? large : null, 0, alice);
            await(store().edit(new LockKey(key.key(), "namespace-" + i), edit, NOW));
        }

        assertThat(await(store().locks(key.key(), null)).last()).isNotNull();
        assertThat(listed(key.key())).hasSize(120);
    }

    /** On all pages. */
    protected final Map<LockKey, LockItem> listed(@Nullable String ofKey) {
        return listed(store(), ofKey);
    }

    protected static Map<LockKey, LockItem> listed(LockStore store, @Nullable String ofKey) {
        Map<LockKey, LockItem> listed = new HashMap<>();
        LockPage.Mark after = null;
        do {
            LockPage page = await(store.locks(ofKey, after));
            listed.putAll(page.locks());
            after = page.last();
        } while (after != null);
        return listed;
    }

    // Sessions

    @Test
    void aSessionHoldsAtMostTwentyNotices() {
        edit(begin());
        for (int number = 1; number <= SessionItem.MOST_NOTICES; number++) {
            assertThat(edit(new SessionEdit.Notify(notice(number))).isApplied()).isTrue();
        }

        Answer<Optional<SessionItem>> oneMore = edit(new SessionEdit.Notify(notice(SessionItem.MOST_NOTICES + 1)));

        assertThat(oneMore.isApplied()).isFalse();
        assertThat(oneMore.item().orElseThrow().notices()).hasSize(SessionItem.MOST_NOTICES);
        assertThat(edit(new SessionEdit.Notify(notice(1))).isApplied())
                .as("one that is there already")
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a/b", "/", "a|b", "|", "|/|", "?7|default/x", "Straße 東京 😀", "\u0000"})
    void aNoticeAboutAnyKeyIsReadAsItWasWrittenAndRemoved(String odd) {
        Set<Notice> notices = Set.of(
                new Notice(Notice.Wish.TAKE_OUT_IF_UNWANTED, new LockKey(odd, "default"), 1),
                new Notice(Notice.Wish.EVICT, new LockKey(odd, "name|space"), 1L << 40),
                new Notice(Notice.Wish.EVICT, new LockKey(odd + "x".repeat(2_000), ""), 3));
        edit(begin());
        notices.forEach(notice -> edit(new SessionEdit.Notify(notice)));

        Set<String> shown = edit(heartbeat(1)).item().orElseThrow().notices();
        assertThat(shown.stream().map(Notice::read).flatMap(Optional::stream).collect(Collectors.toSet()))
                .isEqualTo(notices);
        assertThat(edit(new SessionEdit.Heartbeat(2, shown, LATER))
                        .item()
                        .orElseThrow()
                        .notices())
                .isEmpty();
    }

    @Test
    void manySessionsAreReadInOneCallAndDeadOnesAreEmpty() {
        Map<SessionId, Optional<SessionItem>> all = new HashMap<>();
        for (int i = 0; i < LockStore.MOST_SESSIONS - 1; i++) {
            SessionEdit begin = new SessionEdit.Begin(LEASE, "owner " + i, NOW);
            SessionId id = newSession();
            all.put(id, await(store().edit(id, begin, NOW)).item());
        }
        all.put(session, Optional.empty());

        assertThat(await(store().sessions(all.keySet())).content()).isEqualTo(all);
    }

    protected final Answer<LockItem> edit(Edit edit) {
        return await(store().edit(key, edit, NOW)).at(null);
    }

    protected final Answer<Optional<SessionItem>> edit(SessionEdit edit) {
        return await(store().edit(session, edit, NOW)).at(null);
    }

    protected final LockItem read() {
        return await(store().read(key, true)).content();
    }

    protected static SessionEdit begin() {
        return new SessionEdit.Begin(LEASE, "alice", NOW);
    }

    protected static SessionEdit heartbeat(long number) {
        return new SessionEdit.Heartbeat(number, Set.of(), LATER);
    }

    protected final Notice notice(long number) {
        return new Notice(Notice.Wish.TAKE_OUT_IF_UNWANTED, key, number);
    }

    protected static SessionId newSession() {
        return SessionId.of(UUID.randomUUID().getMostSignificantBits());
    }

    protected static Entry entry(SessionId session, long number, Mode mode, int slots) {
        return new Entry.OfSession(session, number, mode, slots);
    }

    protected static <T> T await(CompletionStage<T> stage) {
        return Objects.requireNonNull(
                stage.toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join());
    }
}
