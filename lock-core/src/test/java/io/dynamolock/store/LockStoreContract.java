package io.dynamolock.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.Answer.Applied;
import io.dynamolock.internal.protocol.Answer.Refused;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.Dispute;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.Eviction;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.SessionItem;
import io.dynamolock.protocol.SessionStep;
import io.dynamolock.protocol.SessionStep.Beat;
import io.dynamolock.protocol.SessionStep.Begin;
import io.dynamolock.protocol.SessionStep.Bury;
import io.dynamolock.protocol.SessionStep.End;
import io.dynamolock.protocol.SessionStep.Evict;
import io.dynamolock.protocol.SessionStep.Raise;
import io.dynamolock.protocol.Step;
import io.dynamolock.protocol.Step.Ask;
import io.dynamolock.protocol.Step.Grow;
import io.dynamolock.protocol.Step.Leave;
import io.dynamolock.protocol.Step.Put;
import io.dynamolock.protocol.Step.Rename;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every {@link LockStore} promises. Each test works on keys and sessions of its own. */
public abstract class LockStoreContract {

    protected static final Instant NOW = Instant.parse("2026-03-04T05:06:07.123456789Z");
    protected static final Instant LATER = NOW.plusSeconds(10);
    protected static final long BASE = 1_772_600_767_123_456L;
    protected static final Duration LEASE = Duration.ofSeconds(20);
    protected static final int MOST = 200;

    protected final LockKey key = new LockKey("customer:" + UUID.randomUUID(), "default");
    protected final SessionId session = newSession();
    protected final Entry alice = entry(session, 1, 1);
    protected final Entry bob = entry(newSession(), 1, 2);
    protected final Entry carol = entry(newSession(), 1, 1);

    /** The store under test; always the same one, or several on the same table. */
    protected abstract LockStore store();

    // Data

    @Test
    void dataIsPutByTheHolderAndKeptByAllOtherSteps() {
        take(ask(alice));
        take(ask(bob));
        LockItem put = new LockItem(BASE + 3, List.of(alice, bob), 0, LockData.of("one"), 1);

        assertThat(take(new Put(alice, 0, LockData.of("one")))).isEqualTo(new Applied<>(put));
        assertThat(take(new Put(alice, 0, LockData.of("one")))).isEqualTo(new Refused<>(put));
        assertThat(take(new Put(bob, 1, LockData.of("two")))).isEqualTo(new Refused<>(put));
        take(ask(carol));
        take(new Grow(2, carol, 1));
        assertThat(take(Leave.of(0, alice)).item().data()).isEqualTo(LockData.of("one"));
        assertThat(look().puts()).isOne();
        assertThat(look().data()).isEqualTo(LockData.of("one"));
    }

    @Test
    void dataIsLeftByAReleaseAndByARenameAndIsRemovedByNone() {
        take(ask(alice));
        take(ask(bob));

        assertThat(take(Leave.of(0, alice, LockData.of(new byte[] {0, -1, 7}))))
                .isEqualTo(
                        new Applied<>(new LockItem(BASE + 3, List.of(bob), 0, LockData.of(new byte[] {0, -1, 7}), 1)));
        assertThat(take(new Rename(bob, carol, LockData.of("two"))))
                .isEqualTo(new Applied<>(new LockItem(BASE + 3, List.of(carol), 0, LockData.of("two"), 2)));
        assertThat(take(new Put(carol, 2, LockData.EMPTY)))
                .isEqualTo(new Applied<>(new LockItem(BASE + 3, List.of(carol), 0, LockData.EMPTY, 3)));
    }

    @Test
    void asMuchDataAsThereMayBeIsPutAndRead() {
        byte[] bytes = new byte[LockData.MOST_BYTES];
        Arrays.fill(bytes, (byte) -3);
        take(ask(alice));

        assertThat(take(new Put(alice, 0, LockData.of(bytes))).isApplied()).isTrue();
        assertThat(look().data().bytes()).isEqualTo(bytes);
    }

    @Test
    void anAskForALockThatMustExistMakesNone() {
        assertThat(take(new Ask(alice, BASE, MOST).ifExists())).isEqualTo(new Refused<>(LockItem.ABSENT));
        assertThat(look()).isEqualTo(LockItem.ABSENT);
        take(ask(bob));
        take(Leave.of(0, bob));

        assertThat(take(new Ask(alice, BASE, MOST).ifExists()).isApplied()).isTrue();
    }

    // Lists

    @Test
    void theLocksOfAKeyAreListedInAllNamespacesWithOrWithoutAHolder() {
        LockKey second = new LockKey(key.key(), "a|b#c");
        take(ask(alice));
        take(Leave.of(0, alice));
        await(store().take(second, ask(bob), NOW));
        await(store().take(new LockKey(key.key() + "0", "default"), ask(carol), NOW));
        await(store().take(session, begin(), NOW));

        assertThat(listed(key.key()))
                .isEqualTo(
                        Map.of(key, new LockItem(BASE + 1, List.of()), second, new LockItem(BASE + 2, List.of(bob))));
        assertThat(listed("nobody's " + key.key())).isEmpty();
    }

    @Test
    void moreLocksThanAPageHasAreListedPageByPage() {
        LockData large = LockData.of(new byte[LockData.MOST_BYTES]);
        for (int i = 0; i < 120; i++) {
            LockKey lock = new LockKey(key.key(), "namespace-" + i);
            await(store().take(lock, ask(alice), NOW));
            if (i < 20) {
                await(store().take(lock, new Put(alice, 0, large), NOW));
            }
        }
        int pages = 1;
        for (LockPage.Mark after = await(store().locks(key.key(), null)).last();
                after != null;
                after = await(store().locks(key.key(), after)).last()) {
            pages++;
        }

        assertThat(pages).isGreaterThan(1);
        assertThat(listed(key.key())).hasSize(120);
    }

    private Map<LockKey, LockItem> listed(String ofKey) {
        Map<LockKey, LockItem> listed = new HashMap<>();
        LockPage.Mark after = null;
        do {
            LockPage page = await(store().locks(ofKey, after));
            listed.putAll(page.locks());
            after = page.last();
        } while (after != null);
        return listed;
    }

    // Ask

    @Test
    void theFirstToAskIsFirstInTheQueueAndItsTicketsFollowTheBase() {
        assertThat(take(ask(bob))).isEqualTo(new Applied<>(new LockItem(BASE + 2, List.of(bob))));
        assertThat(look()).isEqualTo(new LockItem(BASE + 2, List.of(bob)));
    }

    @Test
    void thoseWhoAskStandInTheOrderInWhichTheyAsked() {
        take(ask(alice));
        take(ask(bob));

        assertThat(take(ask(carol))).isEqualTo(new Applied<>(new LockItem(BASE + 4, List.of(alice, bob, carol))));
    }

    @Test
    void ticketsGoOnFromTheLastWhateverTheClockSays() {
        take(ask(alice));
        take(Leave.of(0, alice));

        assertThat(take(new Ask(bob, BASE - 1_000, MOST)).item().tail()).isEqualTo(BASE + 3);
        assertThat(take(new Ask(carol, BASE + 1_000, MOST)).item().tail()).isEqualTo(BASE + 4);
    }

    @Test
    void anAskLandsOnceHoweverOftenItIsSent() {
        take(ask(alice));

        assertThat(take(ask(alice))).isEqualTo(new Refused<>(new LockItem(BASE + 1, List.of(alice))));
    }

    @Test
    void anAskIsRefusedWhenTheQueueIsFull() {
        take(new Ask(alice, BASE, 2));
        take(new Ask(bob, BASE, 2));

        assertThat(take(new Ask(carol, BASE, 2))).isEqualTo(new Refused<>(new LockItem(BASE + 3, List.of(alice, bob))));
        take(Leave.of(0, alice));
        assertThat(take(new Ask(carol, BASE, 2)).isApplied()).isTrue();
    }

    @Test
    void anAskForAFreeLockIsRefusedWhileAnybodyStandsInTheQueue() {
        assertThat(take(Ask.ifFree(alice, BASE))).isEqualTo(new Applied<>(new LockItem(BASE + 1, List.of(alice))));
        assertThat(take(Ask.ifFree(bob, BASE))).isEqualTo(new Refused<>(new LockItem(BASE + 1, List.of(alice))));

        take(Leave.of(0, alice));

        assertThat(take(Ask.ifFree(bob, BASE))).isEqualTo(new Applied<>(new LockItem(BASE + 3, List.of(bob))));
    }

    @Test
    void ofManyWhoAskAtOnceEachGetsItsTicketAndItsPlace() {
        List<CompletionStage<Answer<LockItem>>> answers = new ArrayList<>();
        for (int number = 1; number <= 30; number++) {
            answers.add(store().take(key, ask(entry(session, number, 1)), NOW));
        }

        Set<Entry> last = new HashSet<>();
        for (CompletionStage<Answer<LockItem>> answer : answers) {
            LockItem item = await(answer).item();
            assertThat(item.tail()).isEqualTo(BASE + item.queue().size());
            last.add(item.queue().get(item.queue().size() - 1));
        }
        assertThat(last).hasSize(30);
        assertThat(look().queue()).hasSize(30);
    }

    @Test
    void ofManyWhoAskForAFreeLockAtOnceOneGetsIt() {
        List<CompletionStage<Answer<LockItem>>> answers = IntStream.rangeClosed(1, 20)
                .mapToObj(number -> store().take(key, Ask.ifFree(entry(session, number, 1), BASE), NOW))
                .toList();

        assertThat(answers.stream().map(LockStoreContract::await).filter(Answer::isApplied))
                .hasSize(1);
    }

    // Grow

    @Test
    void aBlockThatIsLastGrows() {
        take(ask(alice));
        take(ask(bob));

        assertThat(take(new Grow(1, bob, 3)))
                .isEqualTo(new Applied<>(new LockItem(BASE + 6, List.of(alice, bob.grownBy(3)))));
    }

    @Test
    void aBlockGrowsOnceHoweverOftenThatIsSent() {
        take(ask(bob));
        take(new Grow(0, bob, 3));

        assertThat(take(new Grow(0, bob, 3))).isEqualTo(new Refused<>(new LockItem(BASE + 5, List.of(bob.grownBy(3)))));
    }

    @Test
    void aBlockWithAnotherBehindItDoesNotGrow() {
        take(ask(alice));
        take(ask(bob));

        assertThat(take(new Grow(0, alice, 1))).isEqualTo(new Refused<>(new LockItem(BASE + 3, List.of(alice, bob))));
    }

    @Test
    void aBlockThatIsGoneDoesNotGrow() {
        assertThat(take(new Grow(0, alice, 1))).isEqualTo(new Refused<>(LockItem.ABSENT));
    }

    // Leave

    @Test
    void whenTheFirstLeavesTheNextIsFirstByTheSameWrite() {
        take(ask(alice));
        take(ask(bob));

        assertThat(take(Leave.of(0, alice))).isEqualTo(new Applied<>(new LockItem(BASE + 3, List.of(bob))));
    }

    @Test
    void theLastToLeaveLeavesTheTailBehind() {
        take(ask(alice));

        assertThat(take(Leave.of(0, alice))).isEqualTo(new Applied<>(new LockItem(BASE + 1, List.of())));
    }

    @Test
    void aBlockThatHasMovedUpIsShownWhereItStands() {
        take(ask(alice));
        take(ask(bob));
        take(Leave.of(0, alice));

        assertThat(take(Leave.of(1, bob))).isEqualTo(new Refused<>(new LockItem(BASE + 3, List.of(bob))));
    }

    @Test
    void aBlockThatHasGrownSinceDoesNotLeave() {
        take(ask(bob));
        take(new Grow(0, bob, 1));

        assertThat(take(Leave.of(0, bob)).isApplied()).isFalse();
    }

    @Test
    void severalLeaveAtOnceFromThePlacesTheyHadBefore() {
        List<Entry> five = entries(5);
        five.forEach(entry -> take(ask(entry)));

        Answer<LockItem> answer = take(leave(Map.of(0, five.get(0), 2, five.get(2), 4, five.get(4))));

        assertThat(answer).isEqualTo(new Applied<>(new LockItem(BASE + 5, List.of(five.get(1), five.get(3)))));
    }

    @Test
    void severalLeaveTogetherOrNotAtAll() {
        take(ask(alice));
        take(ask(bob));

        assertThat(take(leave(Map.of(0, alice, 1, carol))))
                .isEqualTo(new Refused<>(new LockItem(BASE + 3, List.of(alice, bob))));
    }

    @Test
    void asManyAsOneStepTakesLeaveAFullQueueAtOnce() {
        List<Entry> full = entries(MOST);
        full.forEach(entry -> take(ask(entry)));
        Map<Integer, Entry> dead = new HashMap<>();
        IntStream.range(0, Leave.MOST).forEach(i -> dead.put(MOST - 1 - i, full.get(MOST - 1 - i)));

        Answer<LockItem> answer = take(leave(dead));

        assertThat(answer).isEqualTo(new Applied<>(new LockItem(BASE + MOST, full.subList(0, MOST - Leave.MOST))));
    }

    // Rename

    @Test
    void theRestOfABlockThatHoldsTheLockGoesOnUnderANewNumber() {
        Entry rest = entry(bob.session(), 2, 1);
        take(ask(bob));
        take(ask(carol));

        assertThat(take(new Rename(bob, rest))).isEqualTo(new Applied<>(new LockItem(BASE + 3, List.of(rest, carol))));
        assertThat(take(new Rename(bob, rest))).isEqualTo(new Refused<>(new LockItem(BASE + 3, List.of(rest, carol))));
    }

    @Test
    void aBlockThatWaitsIsNotRenamed() {
        take(ask(alice));
        take(ask(bob));

        assertThat(take(new Rename(bob, carol))).isEqualTo(new Refused<>(new LockItem(BASE + 3, List.of(alice, bob))));
    }

    @Test
    void aRenameToItselfChangesNothing() {
        take(ask(alice));

        assertThat(take(new Rename(alice, alice))).isEqualTo(new Applied<>(new LockItem(BASE + 1, List.of(alice))));
    }

    // Look

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLockThatNobodyEverAskedForIsAbsent(boolean consistent) {
        assertThat(await(store().look(key, consistent))).isEqualTo(LockItem.ABSENT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a b", "a/b", "a|b", "a#b", "session#x", "Straße", "東京", "😀", "\u0000", "\"'\\", " leading", "."
            })
    void anyKeyIsALockOfItsOwn(String odd) {
        LockKey oddKey = new LockKey(odd + UUID.randomUUID(), "default");
        await(store().take(oddKey, ask(alice), NOW));

        assertThat(await(store().look(oddKey, true)).first()).isEqualTo(alice);
    }

    @Test
    void aKeyMayBeAsLongAsDynamoDbTakesIt() {
        LockKey longest = new LockKey("x".repeat(2_000) + UUID.randomUUID(), "n".repeat(1_000));
        await(store().take(longest, ask(alice), NOW));

        assertThat(await(store().look(longest, true)).first()).isEqualTo(alice);
    }

    @Test
    void namespacesAreLocksApart() {
        take(ask(alice));

        assertThat(await(store().look(new LockKey(key.key(), "other"), true))).isEqualTo(LockItem.ABSENT);
    }

    // Sessions

    @Test
    void aSessionBeginsOnce() {
        Optional<SessionItem> begun = Optional.of(new SessionItem(0, LEASE, "alice", NOW, Set.of()));

        assertThat(take(begin())).isEqualTo(new Applied<>(begun));
        assertThat(take(new Begin(LEASE.plusMillis(1), "another", LATER))).isEqualTo(new Refused<>(begun));
        assertThat(read()).isEqualTo(begun);
    }

    @Test
    void aBeatShowsTheSession() {
        take(begin());

        assertThat(take(beat(1))).isEqualTo(new Applied<>(Optional.of(sessionAt(1, LATER))));
        assertThat(take(beat(5))).isEqualTo(new Applied<>(Optional.of(sessionAt(5, LATER))));
    }

    @Test
    void aBeatThatComesAfterALaterOneChangesNothingAndShowsThatTheSessionLives() {
        take(begin());
        take(beat(2));

        assertThat(take(new Beat(1, Set.of(), NOW))).isEqualTo(new Refused<>(Optional.of(sessionAt(2, LATER))));
        assertThat(take(new Beat(2, Set.of(), NOW))).isEqualTo(new Refused<>(Optional.of(sessionAt(2, LATER))));
    }

    @Test
    void noBeatBringsTheDeadBack() {
        assertThat(take(beat(1))).isEqualTo(new Refused<>(Optional.empty()));
        take(begin());
        take(new Bury(0));

        assertThat(take(beat(1))).isEqualTo(new Refused<>(Optional.empty()));
        assertThat(read()).isEmpty();
    }

    @Test
    void aSessionIsBuriedOnlyAtTheBeatItWasSeenAt() {
        take(begin());
        take(beat(1));

        assertThat(take(new Bury(0))).isEqualTo(new Refused<>(Optional.of(sessionAt(1, LATER))));
        assertThat(take(new Bury(1))).isEqualTo(new Applied<>(Optional.empty()));
        assertThat(read()).isEmpty();
        assertThat(take(new Bury(1))).isEqualTo(new Applied<>(Optional.empty()));
    }

    @Test
    void aSessionEndsAtAnyBeatAndAgain() {
        take(begin());
        take(beat(7));

        assertThat(take(new End())).isEqualTo(new Applied<>(Optional.empty()));
        assertThat(take(new End())).isEqualTo(new Applied<>(Optional.empty()));
        assertThat(read()).isEmpty();
    }

    @Test
    void manySessionsAreReadAtOnceAndTheMissingAreEmpty() {
        Map<SessionId, Optional<SessionItem>> all = new HashMap<>();
        for (int i = 0; i < LockStore.MOST_SESSIONS - 1; i++) {
            SessionId id = newSession();
            await(store().take(id, new Begin(LEASE, "owner " + i, NOW), NOW));
            all.put(id, Optional.of(new SessionItem(0, LEASE, "owner " + i, NOW, Set.of())));
        }
        all.put(session, Optional.empty());

        assertThat(await(store().sessions(all.keySet()))).isEqualTo(all);
    }

    @Test
    void noSessionsAreReadAsNone() {
        assertThat(await(store().sessions(Set.of()))).isEmpty();
        assertThat(await(store().sessions(Set.of(session)))).isEqualTo(Map.of(session, Optional.empty()));
    }

    @Test
    void moreSessionsThanCanBeReadAtOnceAreRefused() {
        Set<SessionId> tooMany = new HashSet<>();
        while (tooMany.size() <= LockStore.MOST_SESSIONS) {
            tooMany.add(newSession());
        }

        assertThatThrownBy(() -> store().sessions(tooMany)).isInstanceOf(IllegalArgumentException.class);
    }

    // Disputes

    @Test
    void aDisputeIsShownByTheNextBeatAndTakenAwayOnceItIsSettled() {
        Dispute one = dispute(1);
        Dispute other = dispute(2);
        take(begin());
        take(new Raise(one));
        assertThat(item(take(new Raise(other))).disputes()).containsExactlyInAnyOrder(one, other);

        assertThat(item(take(beat(1))).disputes()).containsExactlyInAnyOrder(one, other);
        assertThat(item(take(new Beat(2, Set.of(one), LATER))).disputes()).containsExactly(other);
        assertThat(item(take(new Beat(3, Set.of(other, one), LATER))).disputes())
                .isEmpty();
    }

    @Test
    void aBeatThatComesLateSettlesNothing() {
        take(begin());
        take(beat(2));
        take(new Raise(dispute(1)));

        assertThat(item(take(new Beat(1, Set.of(dispute(1)), LATER))).disputes())
                .containsExactly(dispute(1));
    }

    @Test
    void aDisputeWithASessionThatIsGoneIsRefused() {
        assertThat(take(new Raise(dispute(1)))).isEqualTo(new Refused<>(Optional.empty()));
        assertThat(read()).isEmpty();
    }

    @Test
    void aSessionCarriesSoManyDisputesAndNoMore() {
        take(begin());
        for (int number = 1; number <= Raise.MOST; number++) {
            assertThat(take(new Raise(dispute(number))).isApplied()).isTrue();
        }

        Answer<Optional<SessionItem>> oneMore = take(new Raise(dispute(Raise.MOST + 1)));

        assertThat(oneMore.isApplied()).isFalse();
        assertThat(item(oneMore).disputes()).hasSize(Raise.MOST);
        assertThat(take(new Raise(dispute(1))).isApplied()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a/b", "/", "a|b", "|", "|/|", "7|default/x", "Straße 東京 😀", "\u0000"})
    void aDisputeIsReadAsItWasRaisedWhateverTheKey(String odd) {
        List<Dispute> disputes = List.of(
                new Dispute(new LockKey(odd, "default"), alice.block()),
                new Dispute(new LockKey(odd, "name|space"), new BlockId(session, 1L << 40)),
                new Dispute(new LockKey(odd + "x".repeat(2_000), ""), alice.block()));
        take(begin());
        disputes.forEach(dispute -> take(new Raise(dispute)));

        assertThat(item(take(beat(1))).disputes()).containsExactlyInAnyOrderElementsOf(disputes);
        assertThat(item(take(new Beat(2, Set.copyOf(disputes), LATER))).disputes())
                .isEmpty();
    }

    // Evictions

    @Test
    void anEvictionIsShownByTheNextBeatAndTakenAwayOnceItIsObeyed() {
        Eviction one = eviction(1, 1);
        Eviction other = eviction(1, 2);
        take(begin());
        take(new Raise(dispute(1)));
        take(new Evict(one));
        assertThat(item(take(new Evict(other))).evictions()).containsExactlyInAnyOrder(one, other);

        assertThat(item(take(beat(1))).evictions()).containsExactlyInAnyOrder(one, other);
        SessionItem obeyed = item(take(new Beat(2, Set.of(dispute(1)), Set.of(one), LATER)));
        assertThat(obeyed.evictions()).containsExactly(other);
        assertThat(obeyed.disputes()).isEmpty();
        assertThat(item(take(new Beat(3, Set.of(), Set.of(one, other), LATER))).evictions())
                .isEmpty();
    }

    @Test
    void anEvictionIsRefusedByASessionThatIsGoneAndByOneThatOnlyKeepsALock() {
        assertThat(take(new Evict(eviction(1, 1)))).isEqualTo(new Refused<>(Optional.empty()));
        assertThat(read()).isEmpty();

        Begin keeping = new Begin(LEASE, "alice", NOW, LATER);
        take(keeping);
        assertThat(take(new Evict(eviction(1, 1)))).isEqualTo(new Refused<>(Optional.of(keeping.begun())));
    }

    @Test
    void aSessionCarriesSoManyEvictionsAndNoMore() {
        take(begin());
        for (int number = 1; number <= Evict.MOST; number++) {
            assertThat(take(new Evict(eviction(1, number))).isApplied()).isTrue();
        }

        Answer<Optional<SessionItem>> oneMore = take(new Evict(eviction(1, Evict.MOST + 1)));

        assertThat(oneMore.isApplied()).isFalse();
        assertThat(item(oneMore).evictions()).hasSize(Evict.MOST);
        assertThat(take(new Evict(eviction(1, 1))).isApplied()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a/b", "/", "a|b", "|", "|/|", "7|1|1|default/x", "Straße 東京 😀", "\u0000"})
    void anEvictionIsReadAsItWasToldWhateverTheKey(String odd) {
        List<Eviction> evictions = List.of(
                Eviction.of(new LockKey(odd, "default"), alice, -1),
                Eviction.of(new LockKey(odd, "name|space"), new Entry(new BlockId(session, 1L << 30), 63), 0),
                Eviction.of(new LockKey(odd + "x".repeat(2_000), ""), alice, 1));
        take(begin());
        evictions.forEach(eviction -> take(new Evict(eviction)));

        assertThat(item(take(beat(1))).evictions()).containsExactlyInAnyOrderElementsOf(evictions);
        assertThat(item(take(new Beat(2, Set.of(), Set.copyOf(evictions), LATER)))
                        .evictions())
                .isEmpty();
    }

    private Eviction eviction(int number, long nonce) {
        return Eviction.of(key, new Entry(new BlockId(session, number), 1), nonce);
    }

    protected final Answer<LockItem> take(Step step) {
        return await(store().take(key, step, NOW));
    }

    protected final Answer<Optional<SessionItem>> take(SessionStep step) {
        return await(store().take(session, step, NOW));
    }

    protected final LockItem look() {
        return await(store().look(key, true));
    }

    protected static Step ask(Entry entry) {
        return new Ask(entry, BASE, MOST);
    }

    protected static Begin begin() {
        return new Begin(LEASE, "alice", NOW);
    }

    protected static Beat beat(long number) {
        return new Beat(number, Set.of(), LATER);
    }

    protected final Dispute dispute(int number) {
        return new Dispute(key, new BlockId(session, number));
    }

    protected static SessionId newSession() {
        return SessionId.of(UUID.randomUUID().getMostSignificantBits());
    }

    protected static Entry entry(SessionId session, long number, int callers) {
        return new Entry(new BlockId(session, number), callers);
    }

    protected static <T> T await(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
    }

    private Optional<SessionItem> read() {
        return await(store().sessions(Set.of(session))).get(session);
    }

    private List<Entry> entries(int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(number -> entry(session, number, 1))
                .toList();
    }

    private static Step leave(Map<Integer, Entry> entries) {
        return new Leave(new TreeMap<>(entries));
    }

    private static SessionItem sessionAt(long beat, Instant at) {
        return new SessionItem(beat, LEASE, "alice", at, Set.of());
    }

    private static SessionItem item(Answer<Optional<SessionItem>> answer) {
        return answer.item().orElseThrow();
    }
}
