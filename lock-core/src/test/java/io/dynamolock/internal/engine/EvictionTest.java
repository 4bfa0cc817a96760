package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.engine.Network.Call;
import io.dynamolock.internal.engine.Network.Fate;
import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.protocol.Edits;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.protocol.Notice;
import io.dynamolock.internal.protocol.SessionEdit;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.protocol.SessionItem;
import io.dynamolock.internal.store.StoreFailure;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An operator has entries removed: a notice tells the process that owns an entry to evict it. */
class EvictionTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** In milliseconds: time enough for the heartbeat that brings a notice, and for what follows from it. */
    private static final long SOON = 5_100;

    private final Bench bench = new Bench();
    private final LockEngine operator = bench.processThatHasUsedTheLock();
    private final LockEngine process = bench.processWithSession();

    // Evictions of holders

    @Test
    void anEvictionHarmsNobodyElseWhileAHundredEntriesOfTheDeadAreTakenOut() {
        LockEngine dead = bench.processWithSession();
        for (int i = 0; i < 110; i++) {
            bench.granted(dead.acquire(permitOf112()));
        }
        Grant evicted = bench.granted(process.acquire(permitOf112()));
        Grant other = bench.granted(process.acquire(permitOf112()));
        Acquisition waiting = process.acquire(permitOf112());
        bench.machineOf(dead).loop.die();
        bench.network.always(Call.EDIT, Fate.THROTTLED);
        bench.advanceMillis(28_000);

        process.evict(Bench.KEY, evicted.entry().id(), "");
        bench.advanceMillis(2_000);
        bench.network.heal();
        bench.advanceMillis(2_000);

        assertThat(evicted.loss()).contains(LossReason.EVICTED);
        assertThat(other.isValid()).isTrue();
        assertThat(waiting).matches(Acquisitions::isGranted);
    }

    @Test
    void aKeptLockIsEvictedThoughAnEntryBeforeItLeavesAtTheSameMoment() {
        Grant first = bench.granted(operator.acquire(permitOf112()));
        bench.granted(process.acquire(Specs.as(Kind.PERMIT, Bench.KEY)
                .permits(112)
                .waiting(MINUTE)
                .holdAtLeast(MINUTE)
                .spec()));
        process.shutdown();
        bench.advanceMillis(1_000);
        Entry kept = bench.queue().get(1);

        CompletableFuture<Boolean> evicted = operator.evict(Bench.KEY, kept.id(), "");
        bench.advanceMillis(1);
        first.release();
        bench.advanceMillis(1_000);

        assertThat(evicted).isCompletedWithValue(true);
        assertThat(bench.queue()).isEmpty();
    }

    private static AcquireSpec permitOf112() {
        return Specs.as(Kind.PERMIT, Bench.KEY).permits(112).waiting(MINUTE).spec();
    }

    @Test
    void aHolderLosesTheLockWithItsNextHeartbeatAndTheNextWaiterGetsIt() {
        Grant held = bench.grant(process);
        Acquisition waiting = bench.acquire(bench.processWithSession());
        bench.network.resetCounts();

        assertThat(evict(0)).isTrue();
        assertThat(bench.network.count(Call.NOTIFY)).isOne();
        assertThat(bench.network.writes())
                .as("nobody but the holder's process touches the lock")
                .isOne();
        Grant next = bench.granted(waiting);

        assertThat(held.loss()).contains(LossReason.EVICTED);
        assertThat(bench.countEvents(process, "lost: EVICTED")).isOne();
        assertThat(held.release()).isCompletedWithValue(false);
        assertThat(next.ticket()).isGreaterThan(held.ticket());
        assertThat(bench.queue()).hasSize(1);
        bench.advanceMillis(SOON);
        SessionId session = process.session().orElseThrow().id();
        assertThat(bench.table.session(session).orElseThrow().notices())
                .as("notices, which were obeyed")
                .isEmpty();
    }

    @Test
    void aHolderInTheOperatorsProcessLosesTheLockAtOnceForTwoReads() {
        Grant held = bench.grant(operator);
        bench.network.resetCounts();

        assertThat(evict(0)).isTrue();

        assertThat(held.loss()).contains(LossReason.EVICTED);
        assertThat(bench.network.reads()).isEqualTo(2);
        assertThat(bench.network.sessionWrites())
                .as("neither notices nor heartbeats")
                .isZero();
        bench.advanceMillis(100);
        assertThat(bench.queue()).isEmpty();
    }

    @Test
    void callersThatShareAnEvictedHoldersEntryGoOnUnderANewNumber() {
        List<Acquisition> callers = Acquisitions.start(process, 3, Bench.exclusive());
        Grant held = bench.granted(callers.get(0));
        bench.advanceMillis(100);
        Entry seen = held.entry();
        assertThat(bench.queue()).containsExactly(seen);

        evict(0);
        bench.advanceMillis(SOON);

        assertThat(held.loss()).contains(LossReason.EVICTED);
        assertThat(callers.get(1)).matches(Acquisitions::isGranted);
        assertThat(callers.get(2).outcome()).isNotDone();
        assertThat(bench.queue()).doesNotContain(seen).hasSize(1);
    }

    /** A notice names an entry by its number, which no later entry of the session gets. */
    @Test
    void anEvictionHitsTheEntryThatItNamesAndNoneOfALaterTurn() {
        Grant seen = bench.grant(process);
        CompletableFuture<Boolean> evicted = leaveNotice(0);
        bench.release(seen);
        bench.advanceMillis(100);
        Grant granted = bench.grant(process);
        bench.advanceMillis(SOON);
        assertThat(granted.isValid()).as("holds in a later turn").isTrue();
        assertThat(evicted).isCompletedWithValue(true);
        bench.release(granted);

        Grant inTheWay = bench.grant(operator);
        Acquisition leaving = bench.acquire(process);
        leaveNotice(1);
        leaving.abandon();
        bench.advanceMillis(100);
        Acquisition next = bench.acquire(process, Bench.exclusive(), SOON);
        assertThat(next.outcome()).as("waits by another entry").isNotDone();
        bench.release(inTheWay);

        assertThat(bench.granted(next).isValid()).isTrue();
        assertThat(bench.countEvents(process, "lost") + bench.countEvents(process, "evicted"))
                .isZero();
    }

    @Test
    void whoHasTheLockInTheSameTurnWhenTheNoticeComesLosesItAndNobodyAfterwards() {
        Grant seen = bench.grant(process);
        List<Acquisition> later = List.of(bench.acquire(process), bench.acquire(process));
        SessionId session = bench.queue().get(0).session();
        long number = ((Entry.OfSession) bench.queue().get(0)).number();
        CompletableFuture<Boolean> evicted = leaveNotice(0);
        bench.release(seen);
        Grant second = bench.granted(later.get(0));

        assertThat(bench.await(evicted)).isTrue();
        Grant third = bench.granted(later.get(1));
        sendNotice(session, Bench.KEY, number);
        bench.advanceMillis(2 * SOON);

        assertThat(second.loss()).contains(LossReason.EVICTED);
        assertThat(third.isValid()).isTrue();
    }

    @Test
    void anEvictionThatItsProcessHasNotHeardOfIsNotCalledDone() {
        Grant held = bench.grant(process);
        bench.network.always(Call.HEARTBEAT, Fate.SILENT);

        assertThat(evict(0)).isFalse();

        assertThat(held.isValid()).isTrue();
    }

    @Test
    void anEntryWithANewNumberForTheSameHolderIsNotTakenForEvicted() {
        Grant held = bench.grant(process);
        CompletableFuture<Boolean> evicted = leaveNotice(0);
        bench.await(held.putData(LockData.of("now")));
        bench.network.always(Call.HEARTBEAT, Fate.SILENT);
        bench.advanceMillis(2 * SOON);

        assertThat(evicted).isCompletedWithValue(false);
        assertThat(held.isValid()).isTrue();
    }

    @Test
    void evictingALockReleasedTooEarlyFreesItWithItsDataAndReportsNoLoss() {
        bench.granted(process.acquire(holdingAtLeast(MINUTE))).release(LockData.of("left"));
        bench.advanceMillis(100);

        evict(0);
        bench.advanceMillis(SOON);

        assertThat(bench.queue()).isEmpty();
        assertThat(bench.table.lock(Bench.KEY).data()).isEqualTo(LockData.of("left"));
        assertThat(bench.countEvents(process, "released")).isOne();
        assertThat(bench.countEvents(process, "lost")).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aWriterIsEvictedByTheNumberItHadBeforeItsEntryWasReissued(boolean goesOnAsReader) {
        Grant writer = bench.granted(process.acquire(Bench.spec(Kind.WRITE, MINUTE)));
        leaveNotice(0);
        bench.await(goesOnAsReader ? writer.downgrade() : writer.putData(LockData.of("now")));

        bench.advanceMillis(SOON);

        assertThat(writer.loss()).contains(LossReason.EVICTED);
        assertThat(bench.queue()).isEmpty();
    }

    @Test
    void allReadersOfTheEvictedEntryLoseTheLockAndOtherReadersKeepIt() {
        Grant before = bench.granted(acquireToRead(process));
        List<Acquisition> acquisitions = List.of(acquireToRead(process), acquireToRead(process));
        List<Grant> readers = acquisitions.stream().map(bench::granted).toList();
        Grant elsewhere = bench.granted(acquireToRead(operator));
        assertThat(bench.queue()).extracting(Entry::slots).containsExactly(1, 2, 1);
        leaveNotice(1);
        Grant later = bench.granted(acquireToRead(process));

        bench.advanceMillis(SOON);

        assertThat(readers).allMatch(grant -> grant.loss().orElse(null) == LossReason.EVICTED);
        assertThat(List.of(before, elsewhere, later)).allMatch(Grant::isValid);
        assertThat(bench.queue()).hasSize(3);
    }

    // Evictions of waiters

    @Test
    void allWaitersOfTheEvictedEntryLeaveAndNobodyElseDoes() {
        Grant held = bench.grant(operator);
        Acquisition before = bench.acquire(process);
        List<Acquisition> evicted = Acquisitions.start(process, 2, Bench.exclusive());
        bench.advanceMillis(100);
        Acquisition behind = process.acquire(Bench.exclusive());
        Acquisition writer = bench.acquire(bench.processWithSession(), Bench.spec(Kind.WRITE, MINUTE));

        assertThat(evict(2)).isTrue();
        bench.advanceMillis(SOON);

        assertThat(evicted).allMatch(EvictionTest::isEvicted);
        assertThat(bench.countEvents(process, "evicted")).isEqualTo(2);
        assertThat(bench.queue()).hasSize(4);
        assertThat(held.isValid()).isTrue();
        assertThat(List.of(before, behind, writer))
                .noneMatch(waiter -> waiter.outcome().isDone());
    }

    @Test
    void aWaiterInTheOperatorsProcessLeavesAtOnceForTwoReads() {
        Grant held = bench.grant(process);
        Acquisition waiting = bench.acquire(operator);
        bench.network.resetCounts();

        assertThat(evict(1)).isTrue();

        assertThat(waiting).matches(EvictionTest::isEvicted);
        assertThat(bench.network.consistentReads())
                .as("the waiter's polls are not consistent")
                .isEqualTo(2);
        assertThat(bench.network.sessionWrites())
                .as("neither notices nor heartbeats")
                .isZero();
        bench.advanceMillis(100);
        assertThat(bench.queue()).hasSize(1);
        assertThat(held.isValid()).isTrue();
    }

    @Test
    void aWriterThatAnEarlierEntryServesStaysAndTheWriterBehindItLeaves() {
        bench.grant(operator);
        bench.acquire(process, Bench.exclusive(), 1);
        List<Acquisition> leaving = List.of(process.acquire(Bench.exclusive()), process.acquire(Bench.exclusive()));
        bench.advanceMillis(100);
        Acquisition first = process.acquire(Bench.spec(Kind.WRITE, MINUTE));
        Acquisition second = bench.acquire(process, Bench.spec(Kind.WRITE, MINUTE));
        leaving.forEach(Acquisition::abandon);
        bench.advanceMillis(100);
        assertThat(bench.queue())
                .as("two slots for one writer, and one for the other")
                .extracting(Entry::slots)
                .containsExactly(1, 1, 2, 1);

        evict(3);
        bench.advanceMillis(SOON);

        assertThat(second).matches(EvictionTest::isEvicted);
        assertThat(first.outcome()).isNotDone();
    }

    @Test
    void aWaiterBehindAHolderOfItsProcessIsEvictedAndTheNoticeCountsOnce() {
        Grant held = bench.grant(process);
        Acquisition evicted = bench.acquire(process);
        Entry.OfSession later = (Entry.OfSession) bench.queue().get(1);
        assertThat(later.session())
                .as("both entries are of one process")
                .isEqualTo(bench.queue().get(0).session());

        sendNotice(later.session(), Bench.KEY, later.number());
        bench.advanceMillis(SOON);
        Acquisition next = bench.acquire(process);
        sendNotice(later.session(), Bench.KEY, later.number());
        bench.advanceMillis(SOON);

        assertThat(evicted).matches(EvictionTest::isEvicted);
        assertThat(held.isValid()).isTrue();
        assertThat(next.outcome()).isNotDone();
        bench.release(held);
        assertThat(bench.granted(next).isValid()).isTrue();
    }

    // What becomes of the notice

    @Test
    void evictingAnEntryThatIsGoneOrWhoseSessionIsGoneTellsNobody() {
        Grant held = bench.grant(process);
        String id = bench.queue().get(0).id();
        bench.release(held);
        bench.network.resetCounts();
        assertThat(bench.await(operator.evict(Bench.KEY, id, ""))).isFalse();
        assertThat(bench.network.sessionWrites()).isZero();

        bench.grant(process);
        bench.machineOf(process).loop.die();
        bench.table.edit(process.session().orElseThrow().id(), new SessionEdit.End(), bench.time.now());
        assertThat(evict(0)).isFalse();
        assertThat(bench.grant(operator).isValid()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(
            value = Fate.class,
            names = {"LOST_ANSWER", "LANDS_TWICE", "REFUSED_CONNECTION", "THROTTLED"})
    void aNoticeThatFailsOrLandsTwiceIsObeyedOnce(Fate fate) {
        Acquisition first = process.acquire(Bench.exclusive());
        Acquisition next = process.acquire(Bench.exclusive());
        bench.granted(first);
        bench.network.next(Call.NOTIFY, fate, 1);

        assertThat(evict(0)).isTrue();
        bench.advanceMillis(2 * SOON);

        assertThat(bench.countEvents(process, "lost: EVICTED")).isOne();
        assertThat(bench.granted(next).isValid()).isTrue();
    }

    @Test
    void anEvictionFailsIfItsNoticeIsRefusedOrNeverAnswered() {
        bench.grant(process);
        bench.network.next(Call.NOTIFY, Fate.REFUSED, 1);
        assertThat(failureOfEvicting(0).kind()).isEqualTo(StoreFailure.Kind.REFUSED);
        bench.network.resetCounts();

        bench.network.always(Call.NOTIFY, Fate.REFUSED_CONNECTION);
        assertThat(failureOfEvicting(0).kind()).isEqualTo(StoreFailure.Kind.UNAVAILABLE);
        assertThat(bench.network.count(Call.NOTIFY)).isEqualTo(3);
    }

    @Test
    void anEvictionFailsIfTheProcessHasTwentyNoticesAlready() {
        bench.grant(process);
        for (int i = 1; i <= SessionItem.MOST_NOTICES; i++) {
            sendNotice(bench.queue().get(0).session(), new LockKey("k" + i, "default"), i);
        }

        StoreFailure failure = failureOfEvicting(0);

        assertThat(failure.kind()).isEqualTo(StoreFailure.Kind.THROTTLED);
        assertThat(failure).hasMessageContaining("20");
    }

    @Test
    void anEvictedEntryThatItsProcessDoesNotKnowIsRemoved() {
        SessionId session = process.session().orElseThrow().id();
        Entry orphan = new Entry.OfSession(session, 77, Mode.EXCLUSIVE, 1);
        bench.table.edit(Bench.KEY, Edits.append(200, orphan), bench.time.now());

        assertThat(evict(0)).isTrue();
        bench.advanceMillis(SOON);

        assertThat(bench.queue()).isEmpty();
    }

    @Test
    void evictingALockThatIsKeptForAStoppedProcessFreesItAtOnce() {
        bench.granted(process.acquire(holdingAtLeast(MINUTE))).release();
        bench.await(process.shutdown());
        Acquisition next = bench.acquire(operator, Bench.exclusive(), 1_000);
        assertThat(next.outcome()).isNotDone();

        assertThat(evict(0)).isTrue();
        bench.advanceMillis(1_000);

        assertThat(next).matches(Acquisitions::isGranted);
    }

    private boolean evict(int place) {
        return bench.await(operator.evict(Bench.KEY, bench.queue().get(place).id(), ""));
    }

    /** Lets the operator evict, without waiting for the process to hear of it. */
    private CompletableFuture<Boolean> leaveNotice(int place) {
        CompletableFuture<Boolean> evicted =
                operator.evict(Bench.KEY, bench.queue().get(place).id(), "");
        bench.advanceMillis(20);
        return evicted;
    }

    private StoreFailure failureOfEvicting(int place) {
        CompletableFuture<@Nullable Throwable> failure =
                operator.evict(Bench.KEY, bench.queue().get(place).id(), "").handle((told, why) -> why);
        return (StoreFailure) bench.await(failure);
    }

    private void sendNotice(SessionId session, LockKey key, long number) {
        Notice notice = new Notice(Notice.Wish.EVICT, key, number);
        bench.table.edit(session, new SessionEdit.Notify(notice), bench.time.now());
    }

    private static AcquireSpec holdingAtLeast(Duration holdAtLeast) {
        return Specs.exclusive(Bench.KEY)
                .waiting(MINUTE)
                .holdAtLeast(holdAtLeast)
                .spec();
    }

    private static Acquisition acquireToRead(LockEngine process) {
        return process.acquire(Bench.spec(Kind.READ, MINUTE));
    }

    private static boolean isEvicted(Acquisition acquisition) {
        return Acquisitions.outcome(acquisition) instanceof AcquireOutcome.Evicted;
    }
}
