package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.Edit;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.protocol.Notice;
import io.dynamolock.internal.protocol.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Sequences of events that few would think of. The store answers each call after a millisecond. */
class LockStateHardCasesTest {

    private static final LockKey KEY = new LockKey("order-17", "default");
    private static final SessionId OWN = SessionId.of(1);
    private static final SessionId OTHER = SessionId.of(2);
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final long MILLI = 1_000_000;
    private static final int MOST = 6;

    private final Set<SessionId> dead = new HashSet<>();
    private final LockState state = new LockState(
            KEY,
            new EngineSettings(
                    "process",
                    LEASE,
                    LEASE.dividedBy(4),
                    LEASE.dividedBy(20),
                    Duration.ofMillis(10),
                    Duration.ofSeconds(1),
                    Duration.ZERO,
                    Duration.ZERO,
                    Duration.ofSeconds(1),
                    50,
                    Duration.ofDays(7),
                    MOST),
            LockState.Seen.NOTHING,
            new Sessions() {
                @Override
                public boolean isDead(SessionId id) {
                    return dead.contains(id);
                }

                @Override
                public boolean isQuiet(SessionId id) {
                    return false;
                }

                @Override
                public boolean isAlive(SessionId id, long nowNanos) {
                    return !dead.contains(id);
                }

                @Override
                public @Nullable String owner(SessionId id) {
                    return null;
                }
            },
            () -> 1_000);
    private final List<Effect> effects = new ArrayList<>();
    private LockItem item = LockItem.ABSENT;
    private long now;
    private long numbers;
    private long arrivals;
    private int edits;

    LockStateHardCasesTest() {
        happens(new Event.SessionBegan(OWN, () -> ++numbers));
    }

    @Test
    void whoDoesNotWaitGetsALockWhoseKeptTimeIsOver() {
        item = new LockItem(50, List.of(new Entry.Kept(Mode.EXCLUSIVE, Instant.ofEpochMilli(5))), 0, LockData.EMPTY);
        after(Duration.ofSeconds(1));

        Waiter caller = arrives(Kind.EXCLUSIVE, Duration.ZERO);
        after(Duration.ofMillis(900));

        assertThat(holdOf(caller)).isNotNull();
    }

    @Test
    void whoFindsNoRoomWaitsNoLongerThanItsTimeAndIsNotToldThatTheStoreIsSilent() {
        otherStands(MOST);
        arrives(Kind.EXCLUSIVE, AcquireSpec.FOREVER);
        after(Duration.ofSeconds(1));

        Waiter caller = arrives(Kind.EXCLUSIVE, Duration.ofMillis(200));
        after(Duration.ofMillis(250));

        assertThat(outcomeOf(caller)).isInstanceOf(AcquireOutcome.TimedOut.class);
    }

    @Test
    void aPauseBetweenTwoReadsDoesNotGrowWhileItLasts() {
        otherStands(60);
        arrives(Kind.EXCLUSIVE, AcquireSpec.FOREVER);

        after(Duration.ofMillis(300));

        assertThat(effects.stream().filter(Effect.SendRead.class::isInstance)).hasSizeGreaterThan(2);
    }

    @Test
    void whoDoesNotWaitIsToldAtOnceThoughThereIsNoRoomToAsk() {
        List<Entry> full = new ArrayList<>();
        for (int i = 1; i <= MOST; i++) {
            full.add(new Entry.OfSession(OTHER, i, Mode.EXCLUSIVE, 1));
        }
        item = new LockItem(50, full, 0, LockData.EMPTY);
        Waiter leaving = arrives(Kind.EXCLUSIVE, AcquireSpec.FOREVER);
        after(Duration.ofSeconds(1));
        happens(new Event.Left(leaving));

        Waiter caller = arrives(Kind.EXCLUSIVE, Duration.ZERO);
        after(Duration.ofMillis(5));

        assertThat(outcomeOf(caller)).isInstanceOf(AcquireOutcome.TimedOut.class);
    }

    @Test
    void whoDoesNotWaitIsToldAtOnceThoughASlotStandsForItBehindOthers() {
        item = new LockItem(50, List.of(new Entry.OfSession(OTHER, 1, Mode.EXCLUSIVE, 1)), 0, LockData.EMPTY);
        Waiter leaving = arrives(Kind.EXCLUSIVE, AcquireSpec.FOREVER);
        happens(new Event.Left(leaving));

        Waiter caller = arrives(Kind.EXCLUSIVE, Duration.ZERO);
        after(Duration.ofMillis(5));

        assertThat(outcomeOf(caller)).isInstanceOf(AcquireOutcome.TimedOut.class);
        after(Duration.ofMillis(100));
        assertThat(item.queue()).hasSize(1);
    }

    @Test
    void aWriterThatAsksTwiceToGoOnAsAReaderCostsOneWrite() {
        Waiter writer = arrives(Kind.WRITE, AcquireSpec.FOREVER);
        after(Duration.ofMillis(5));
        Hold hold = holdOf(writer);
        happens(new Event.Downgraded(hold));
        after(Duration.ofMillis(5));
        int before = edits;

        happens(new Event.Downgraded(hold));
        after(Duration.ofMillis(100));

        assertThat(edits).isEqualTo(before);
        assertThat(effects.stream().filter(Effect.NowReader.class::isInstance)).hasSize(2);
    }

    @Test
    void aReaderBehindAWriterThatHasLeftIsServedThoughAnotherOfItsProcessReads() {
        Waiter first = arrives(Kind.READ, AcquireSpec.FOREVER);
        after(Duration.ofMillis(5));
        otherAppends(new Entry.OfSession(OTHER, 1, Mode.EXCLUSIVE, 1));
        Waiter second = arrives(Kind.READ, AcquireSpec.FOREVER);
        after(Duration.ofMillis(100));
        assertThat(holdOf(first)).isNotNull();
        assertThat(holdOf(second)).isNull();

        otherRemoves(1);
        after(Duration.ofSeconds(3));

        assertThat(holdOf(second)).isNotNull();
    }

    @Test
    void aDeadReadersOrWritersEntryBehindAnOwnOneIsTakenOut() {
        arrives(Kind.READ, AcquireSpec.FOREVER);
        after(Duration.ofMillis(5));
        otherAppends(new Entry.OfSession(OTHER, 1, Mode.EXCLUSIVE, 1));
        Waiter second = arrives(Kind.READ, AcquireSpec.FOREVER);
        after(LEASE.multipliedBy(2));

        assertThat(watched()).contains(OTHER);
        dead.add(OTHER);
        happens(new Event.PeersSeen());
        after(Duration.ofSeconds(3));

        assertThat(holdOf(second)).isNotNull();
    }

    @Test
    void aPermitThatADeadProcessHasBehindAnOwnOneGoesToTheNext() {
        Waiter first = arrives(Kind.PERMIT, AcquireSpec.FOREVER);
        after(Duration.ofMillis(5));
        otherAppends(new Entry.OfSession(OTHER, 1, Mode.PERMIT, 1));
        Waiter second = arrives(Kind.PERMIT, AcquireSpec.FOREVER);
        after(LEASE.multipliedBy(2));
        assertThat(holdOf(first)).isNotNull();
        assertThat(holdOf(second)).isNull();

        assertThat(watched()).contains(OTHER);
        dead.add(OTHER);
        happens(new Event.PeersSeen());
        after(Duration.ofSeconds(3));

        assertThat(holdOf(second)).isNotNull();
    }

    @Test
    void anEvictionByANumberThatWasReissuedForTheSameHolderMeansTheNewOne() {
        Waiter caller = arrives(Kind.EXCLUSIVE, AcquireSpec.FOREVER);
        after(Duration.ofMillis(5));
        Hold hold = holdOf(caller);
        long before = hold.entry().entry().number();
        happens(new Event.DataPut(hold, LockData.of("progress")));
        after(Duration.ofMillis(5));
        assertThat(hold.entry().entry().number()).isNotEqualTo(before);

        happens(new Event.Notified(new Notice(Notice.Wish.GIVE_UP, KEY, before)));
        after(Duration.ofMillis(5));

        assertThat(effects).contains(new Effect.Lost(hold, LossReason.EVICTED));
        assertThat(item.queue()).isEmpty();
    }

    @Test
    void anEvictionIsObeyedWhileTheEntryIsBeingReissued() {
        Waiter caller = arrives(Kind.EXCLUSIVE, AcquireSpec.FOREVER);
        Waiter next = arrives(Kind.EXCLUSIVE, AcquireSpec.FOREVER);
        after(Duration.ofMillis(5));
        Hold hold = holdOf(caller);
        long before = hold.entry().entry().number();
        happens(new Event.DataPut(hold, LockData.of("progress")));
        assertThat(hold.entry().isBeingReissued()).isTrue();

        happens(new Event.Notified(new Notice(Notice.Wish.GIVE_UP, KEY, before)));
        after(Duration.ofMillis(5));

        assertThat(effects).contains(new Effect.Lost(hold, LossReason.EVICTED));
        assertThat(holdOf(next)).isNotNull();
        assertThat(item.queue()).noneMatch(entry -> ((Entry.OfSession) entry).number() == before);
    }

    @Test
    void aShortWaitBehindALongOneWaitsForCompanyOnlyAQuarterOfItself() {
        item = new LockItem(50, List.of(new Entry.OfSession(OTHER, 1, Mode.EXCLUSIVE, 1)), 0, LockData.EMPTY);
        arrives(Kind.EXCLUSIVE, AcquireSpec.FOREVER);
        after(Duration.ofMillis(5));
        arrives(Kind.EXCLUSIVE, AcquireSpec.FOREVER);
        after(Duration.ofMillis(1));
        int before = edits;

        arrives(Kind.EXCLUSIVE, Duration.ofMillis(8));
        after(Duration.ofMillis(3));

        assertThat(edits).isEqualTo(before + 1);
    }

    @Test
    void aSlotOfPermitsServesNobodyWhoWantsAnotherNumberOfThem() {
        Waiter leaving = arrives(Kind.PERMIT, AcquireSpec.FOREVER);
        happens(new Event.Left(leaving));

        Waiter caller = arrives(Kind.PERMIT, AcquireSpec.FOREVER, 5);
        after(Duration.ofSeconds(2));

        assertThat(outcomeOf(caller)).isEqualTo(new AcquireOutcome.OtherPermits(2));
    }

    @Test
    void anEntryThatANetworkAppendsTwiceLeavesItsHolderTheLock() {
        Waiter caller = arrives(Kind.EXCLUSIVE, AcquireSpec.FOREVER);
        after(Duration.ofMillis(5));
        Hold hold = holdOf(caller);
        Entry next = new Entry.OfSession(OTHER, 1, Mode.EXCLUSIVE, 1);
        Entry twin = item.queue().get(0);
        otherAppends(next);
        otherAppends(twin);

        happens(new Event.DataPut(hold, LockData.of("progress")));
        after(Duration.ofMillis(10));

        assertThat(effects).contains(new Effect.DataWritten(hold, LockData.of("progress"), true));
        assertThat(item.queue()).containsExactly(hold.entry().entry(), next);
        assertThat(effects).noneMatch(Effect.Lost.class::isInstance);
    }

    @Test
    void aWaitingEntryThatANetworkAppendsTwiceKeepsItsPlace() {
        otherAppends(new Entry.OfSession(OTHER, 1, Mode.EXCLUSIVE, 1));
        Waiter caller = arrives(Kind.EXCLUSIVE, AcquireSpec.FOREVER);
        after(Duration.ofMillis(5));
        Entry own = item.queue().get(1);
        otherAppends(new Entry.OfSession(OTHER, 2, Mode.EXCLUSIVE, 1));
        otherAppends(own);
        after(Duration.ofMillis(100));

        otherRemoves(0);
        after(Duration.ofMillis(100));
        assertThat(holdOf(caller)).isNotNull();
        assertThat(holdOf(caller).entry().entry()).isEqualTo(own);

        happens(new Event.Released(holdOf(caller), null));
        after(Duration.ofMillis(100));
        assertThat(item.queue()).containsExactly(new Entry.OfSession(OTHER, 2, Mode.EXCLUSIVE, 1));
    }

    @Test
    void anOlderConsistentAnswerMovesNothingBackwards() {
        SentRead before = new SentRead(true, now);
        LockItem old = item;
        after(Duration.ofMillis(1));
        Waiter caller = arrives(Kind.EXCLUSIVE, AcquireSpec.FOREVER);
        after(Duration.ofMillis(5));
        assertThat(holdOf(caller)).isNotNull();

        happens(new Event.Read(before, old));
        after(Duration.ofMillis(5));

        assertThat(effects).noneMatch(Effect.Lost.class::isInstance);
    }

    private Waiter arrives(Kind kind, Duration wait) {
        return arrives(kind, wait, kind == Kind.PERMIT ? 2 : 0);
    }

    private Waiter arrives(Kind kind, Duration wait, int permits) {
        AcquireSpec spec = new AcquireSpec(KEY, "test", wait, null, null, kind, permits, false);
        Waiter waiter = new Waiter(spec, ++arrivals, now);
        happens(new Event.Arrived(waiter));
        if (!spec.waitsForever()) {
            at(now + wait.toNanos(), new Event.WaitOver(waiter));
        }
        return waiter;
    }

    private Hold holdOf(Waiter waiter) {
        return effects.stream()
                .filter(effect -> effect instanceof Effect.Granted granted && granted.waiter() == waiter)
                .map(effect -> ((Effect.Granted) effect).hold())
                .findFirst()
                .orElse(null);
    }

    private AcquireOutcome outcomeOf(Waiter waiter) {
        return effects.stream()
                .filter(effect -> effect instanceof Effect.Ended ended && ended.waiter() == waiter)
                .map(effect -> ((Effect.Ended) effect).outcome())
                .findFirst()
                .orElse(null);
    }

    private Set<SessionId> watched() {
        Set<SessionId> watched = new HashSet<>();
        for (Effect effect : effects) {
            if (effect instanceof Effect.Watch watch) {
                watched.addAll(watch.sessions());
            }
        }
        return watched;
    }

    private void otherStands(int entries) {
        List<Entry> queue = new ArrayList<>();
        for (int i = 1; i <= entries; i++) {
            queue.add(new Entry.OfSession(OTHER, i, Mode.EXCLUSIVE, 1));
        }
        item = new LockItem(50, queue, 0, LockData.EMPTY);
    }

    private void otherAppends(Entry entry) {
        write(new Edit(new TreeMap<>(), null, List.of(entry), MOST, 0, false, null, 0, 1));
    }

    private void otherRemoves(int index) {
        TreeMap<Integer, Entry> removed = new TreeMap<>();
        removed.put(index, item.queue().get(index));
        write(new Edit(removed, null, List.of(), MOST, 0, true, null, 0, 1));
    }

    private void write(Edit edit) {
        Answer<LockItem> answer = edit.on(item);
        assertThat(answer.isApplied()).isTrue();
        item = answer.item();
    }

    // Time

    private record Due(long at, Event event) {}

    private final List<Due> agenda = new ArrayList<>();

    private void at(long nanos, Event event) {
        agenda.add(new Due(nanos, event));
    }

    private void after(Duration some) {
        long end = now + some.toNanos();
        for (int steps = 0; ; steps++) {
            assertThat(steps).as("steps").isLessThan(100_000);
            Due next = agenda.stream()
                    .min((one, other) -> Long.compare(one.at(), other.at()))
                    .orElse(null);
            long wake = state.wakeAt();
            if (next != null && next.at() <= end && next.at() <= wake) {
                agenda.remove(next);
                now = Math.max(now, next.at());
                happens(next.event());
            } else if (wake <= end) {
                now = Math.max(now, wake);
                happens(new Event.Woke());
            } else {
                now = end;
                return;
            }
        }
    }

    private void happens(Event event) {
        for (Effect effect : state.on(event, new Now(now, Instant.EPOCH.plusNanos(now), true))) {
            effects.add(effect);
            if (effect instanceof Effect.SendEdit send) {
                edits++;
                Answer<LockItem> answer = send.edit().edit().on(item);
                item = answer.item();
                at(now + MILLI, new Event.Edited(send.edit(), item, answer.isApplied()));
            } else if (effect instanceof Effect.SendRead send) {
                at(now + MILLI, new Event.Read(send.read(), item));
            }
        }
    }
}
