package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.Network.Call;
import io.dynamolock.internal.engine.Network.Fate;
import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.protocol.Clocks;
import io.dynamolock.internal.protocol.Edits;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.protocol.SessionEdit;
import io.dynamolock.internal.protocol.SessionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Processes that die, freeze, or have wrong clocks: who is behind them is served, and who lost its locks is told. */
class CrashesTest {

    private static final Duration LEASE = Bench.LEASE;
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Bench bench = new Bench();

    // Dead processes

    @Test
    void aDeadSessionThatCannotBeReadIsSeldomReadAndNamedByTheTimeout() {
        bench.setLease(Duration.ofSeconds(2));
        bench.grant(bench.processThatHasUsedTheLock());
        bench.killLatestProcess();
        LockEngine process = bench.processWithSession();
        bench.network.always(Call.SESSIONS, Fate.UNREADABLE_ITEM);

        Acquisition waiting = bench.acquire(process, Bench.exclusive(Duration.ofSeconds(20)), 21_000);

        assertThat(Acquisitions.outcome(waiting))
                .isInstanceOfSatisfying(
                        AcquireOutcome.TimedOut.class,
                        late -> assertThat(late.unreadable()).hasMessage("the item is odd"));
        assertThat(bench.network.count(Call.SESSIONS)).isBetween(5, 9);
        assertThat(bench.countEvents(process, "failed: read sessions")).isBetween(5L, 9L);
    }

    @Test
    void aDeadSessionThatCanBeReadAgainIsExpired() {
        bench.setLease(Duration.ofSeconds(2));
        bench.grant(bench.processThatHasUsedTheLock());
        bench.killLatestProcess();
        LockEngine process = bench.processWithSession();
        bench.network.always(Call.SESSIONS, Fate.UNREADABLE_ITEM);
        Acquisition waiting = bench.acquire(process, Bench.waitingForever(), 60_000);
        assertThat(waiting.outcome()).isNotDone();
        bench.network.heal();

        bench.advanceMillis(14_000);

        assertThat(waiting).matches(Acquisitions::isGranted);
    }

    @Test
    void aDeadWaiterIsRemovedWithinALeaseAndTwoSecondsThoughTheHolderLives() {
        Grant held = bench.grant(bench.processThatHasUsedTheLock());
        LockEngine ahead = bench.processWithSession();
        bench.acquire(ahead, Bench.waitingForever(), 200);
        Acquisition waiting = bench.acquire(bench.processWithSession(), Bench.waitingForever(), 7_000);

        bench.machineOf(ahead).loop.die();
        bench.time.advance(LEASE.plusSeconds(2));
        bench.release(held);

        assertGrantedWithin(SECOND, waiting);
    }

    @ParameterizedTest(name = "{0} of them, a lease of {1} s")
    @CsvSource({"1, 20, 22", "2, 20, 44", "9, 20, 44", "100, 20, 44", "150, 20, 44", "1, 600, 658"})
    void deadProcessesAheadDelayAWaiterByAboutTwoLeasesHoweverManyTheyAre(int processes, long lease, long most) {
        bench.setLease(Duration.ofSeconds(lease));
        LockEngine process = bench.processThatHasUsedTheLock();
        strangers(processes);

        assertGrantedWithin(Duration.ofSeconds(most), process.acquire(Bench.waitingForever()));
        assertThat(bench.queue()).hasSize(1);
    }

    @Test
    void expiriesThatAreThrottledAreRepeatedSoon() {
        LockEngine process = bench.processThatHasUsedTheLock();
        strangers(8);
        bench.network.next(Call.EXPIRE, Fate.THROTTLED, 27);

        assertGrantedWithin(LEASE.multipliedBy(2).plusSeconds(8), process.acquire(Bench.waitingForever()));
    }

    @ParameterizedTest(name = "waits of {0} ms")
    @ValueSource(longs = {200, 4_000})
    void callersThatWaitBrieflyNowAndThenAlsoFindTheDead(long waitMillis) {
        LockEngine process = bench.processThatHasUsedTheLock();
        strangers(8);

        boolean isGranted = false;
        for (int attempt = 0; attempt < 16 && !isGranted; attempt++) {
            Acquisition waiting = bench.acquire(process, Bench.exclusive(Duration.ofMillis(waitMillis)), 5_000);
            isGranted = Acquisitions.isGranted(waiting);
        }

        assertThat(isGranted).isTrue();
    }

    @ParameterizedTest(name = "{0} of them")
    @CsvSource({"9, 1", "50, 1", "150, 2"})
    void manyEntriesOfTheDeadAreRemovedInOneWriteAlsoForCallersThatDoNotWait(int dead, int removals) {
        LockEngine process = bench.processThatHasUsedTheLock();
        for (int i = 1; i <= dead; i++) {
            endSession(stranger(i));
        }
        bench.network.resetCounts();

        Acquisition atOnce = bench.acquire(process, Bench.exclusive(Duration.ZERO), 1_000);

        assertThat(atOnce).matches(Acquisitions::isGranted);
        assertThat(bench.network.writes()).as("two tries, and the removals").isEqualTo(2 + removals);
        bench.release(Acquisitions.grant(atOnce));
        for (int i = 1; i <= dead; i++) {
            endSession(stranger(1_000 + i));
        }
        bench.network.resetCounts();

        Acquisition waits = process.acquire(Bench.waitingForever());

        assertGrantedWithin(Duration.ofSeconds(4), waits);
        assertThat(bench.network.writes()).as("the append, and the removals").isEqualTo(1 + removals);
    }

    @Test
    void anEntryOfASessionThatNeverExistedBlocksNobody() {
        LockEngine process = bench.processThatHasUsedTheLock();
        append(Bench.KEY, SessionId.of(5));

        assertGrantedWithin(Duration.ofSeconds(2), process.acquire(Bench.waitingForever()));
    }

    @Test
    void anUnreadableSessionBlocksOnlyTheLockInWhoseQueueItIs() {
        LockKey poisoned = new LockKey("poisoned", "default");
        LockEngine process = bench.processThatHasUsedTheLock();
        SessionId unreadable = SessionId.of(2);
        beginSession(unreadable);
        append(poisoned, unreadable);
        bench.network.hide(unreadable);
        stranger(1);

        Acquisition tried = process.acquire(Bench.exclusive(poisoned, Duration.ZERO));
        Acquisition stuck = process.acquire(Bench.exclusive(poisoned, AcquireSpec.FOREVER));
        Acquisition orphaned = process.acquire(Bench.waitingForever());

        assertGrantedWithin(LEASE.plusSeconds(2), orphaned);
        assertThat(tried.outcome().join()).isInstanceOf(AcquireOutcome.TimedOut.class);
        assertThat(stuck.outcome())
                .as("an unreadable session does not count as absent")
                .isNotDone();
        assertThat(bench.table.session(unreadable)).isPresent();
    }

    // Frozen processes

    @Test
    void aFrozenHolderFindsItsGrantInvalidBeforeItDoesAnything() {
        LockEngine holder = bench.processThatHasUsedTheLock();
        Grant held = bench.grant(holder);
        List<String> told = new ArrayList<>();
        held.onLost(() -> told.add("lost"));
        Acquisition waiting = bench.acquire(bench.processWithSession(), Bench.waitingForever());

        bench.machineOf(holder).loop.freeze(Duration.ofMinutes(1));
        assertGrantedWithin(Duration.ofMinutes(1), waiting);

        assertThat(held.isValid()).isFalse();
        assertThat(held.remaining()).isZero();
        bench.time.advance(Duration.ofMinutes(1));
        assertThat(told).containsExactly("lost");
        assertThat(bench.machineOf(holder).events()).contains("session lost", "lost: SESSION_LOST");
        assertThat(held.release(null)).isCompletedWithValue(false);
    }

    @Test
    void aHolderHearsOfTheLossAMomentBeforeOthersCanGetItsLock() {
        LockEngine holder = bench.processThatHasUsedTheLock();
        Grant held = bench.grant(holder);
        List<Duration> told = new ArrayList<>();
        held.onLost(() -> told.add(Duration.ofNanos(bench.time.nanos())));
        Acquisition waiting = bench.acquire(bench.processWithSession(), Bench.waitingForever());

        bench.machineOf(holder).moveWallClock(Bench.LEASE);
        bench.granted(waiting);

        assertThat(Duration.ofNanos(bench.time.nanos()).minus(told.get(0)))
                .isBetween(Bench.LEASE.dividedBy(Clocks.SLEW), Duration.ofSeconds(3));
    }

    @Test
    void aProcessThatStopsJustAfterLosingItsSessionFreesItsLocksAtOnce() {
        LockEngine holder = bench.processThatHasUsedTheLock();
        bench.grant(holder);
        bench.machineOf(holder).moveWallClock(Bench.LEASE);
        bench.time.advanceUntil(() -> bench.machineOf(holder).events().contains("session lost"), Bench.LEASE);
        assertThat(bench.table.sessionIds()).hasSize(1);

        CompletableFuture<Void> stopped = holder.shutdown();
        bench.advanceMillis(20);

        assertThat(stopped).isDone();
        assertThat(bench.table.sessionIds()).isEmpty();
    }

    @Test
    void waitersOfALostSessionGoOnUnderANewOneAndAreQueuedOnce() {
        Grant held = bench.grant(bench.processThatHasUsedTheLock());
        LockEngine process = bench.processWithSession();
        Acquisition waiting = bench.acquire(process, Bench.waitingForever(), 1_000);

        bench.machineOf(process).loop.freeze(Duration.ofSeconds(40));
        bench.advanceMillis(43_000);
        bench.release(held);

        assertThat(bench.granted(waiting).isValid()).isTrue();
        bench.advanceMillis(3_000);
        assertThat(bench.queue()).hasSize(1);
        assertThat(bench.table.sessionIds()).hasSize(2);
        assertThat(bench.machineOf(process).events())
                .filteredOn(event -> event.startsWith("queued"))
                .hasSize(1);
    }

    @ParameterizedTest(name = "paused: {0}")
    @ValueSource(booleans = {false, true})
    void aProcessFrozenBetweenCallsBlocksNobodyAndItsNextCallWorks(boolean pauses) {
        LockEngine process = bench.processThatHasUsedTheLock();
        if (pauses) {
            bench.grant(process);
            bench.await(process.pause());
        }
        bench.machineOf(process).loop.freeze(Duration.ofMinutes(1));

        Acquisition hasty = bench.processWithSession().acquire(Bench.exclusive(Duration.ZERO));
        bench.release(bench.granted(hasty));
        bench.time.advance(Duration.ofMinutes(1));

        process.resume();
        assertThat(bench.grant(process).isValid()).isTrue();
    }

    // Clocks

    @Test
    void validityCountsFromWhenTheBeginningOfTheSessionWasSent() {
        bench.network.next(Call.BEGIN, Fate.SLOW_ANSWER, 1);
        Acquisition acquisition = bench.acquire(bench.process(), Bench.waitingForever(), 3_000);
        bench.network.resume();

        Grant grant = bench.granted(acquisition);

        assertThat(grant.remaining()).isLessThanOrEqualTo(Duration.ofSeconds(16));
    }

    @Test
    void aWallClockThatJumpsPastTheLeaseEndsValidityForGood() {
        LockEngine holder = bench.processThatHasUsedTheLock();
        Grant held = bench.grant(holder);

        bench.machineOf(holder).moveWallClock(LEASE);

        assertThat(held.isValid()).isFalse();
        assertThat(holder.held()).isEmpty();
        bench.machineOf(holder).moveWallClock(LEASE.negated());
        assertThat(held.isValid()).as("once over, it stays over").isFalse();
    }

    @Test
    void aWatcherWhoseClockJumpsAheadExpiresNoLivingSession() {
        Grant held = bench.grant(bench.processThatHasUsedTheLock());
        Acquisition next = bench.acquire(bench.processWithSession(), Bench.waitingForever(), 1_000);
        LockEngine watcher = bench.processWithSession();
        bench.acquire(watcher, Bench.waitingForever(), 500);

        bench.machineOf(watcher).moveWallClock(Duration.ofHours(1));
        bench.advanceMillis(10_000);

        assertThat(held.isValid()).isTrue();
        assertThat(next.outcome()).isNotDone();
    }

    @Test
    void aRightClockDoesNotLookWrongAndAWrongOneDoesUntilItIsSet() {
        LockEngine process = bench.processThatHasUsedTheLock();
        bench.time.advance(Duration.ofHours(1));
        assertThat(process.clockProblem()).isEmpty();

        for (long minutes : new long[] {0, 3, 0}) {
            bench.network.setStoreClockAhead(Duration.ofMinutes(minutes));
            process.inspect(Bench.KEY);
            bench.advanceMillis(100);
            assertThat(process.clockProblem().isPresent()).isEqualTo(minutes != 0);
        }
    }

    @Test
    void aLockIsKeptForItsShortestHoldThoughItsSessionBeganSlowly() {
        LockEngine other = bench.processThatHasUsedTheLock();
        bench.network.oneWayTakes(Duration.ofMillis(950));
        LockEngine process = bench.process();
        Duration halfAMinute = Duration.ofSeconds(30);
        Grant grant = bench.granted(process.acquire(Specs.exclusive(Bench.KEY)
                .waiting(Duration.ofMinutes(1))
                .holdAtLeast(halfAMinute)
                .spec()));
        bench.network.oneWayTakes(Duration.ofMillis(3));
        grant.release(null);
        process.shutdown();

        bench.time.advance(halfAMinute.minusMillis(200));
        assertThat(isFree(other)).isFalse();
        bench.advanceMillis(7_000);
        assertThat(isFree(other)).isTrue();
    }

    private boolean isFree(LockEngine process) {
        Acquisition tried = bench.acquire(process, Bench.exclusive(Duration.ZERO));
        return Acquisitions.isGranted(tried);
    }

    private void assertGrantedWithin(Duration most, Acquisition waiting) {
        bench.time.advanceUntil(waiting.outcome()::isDone, most);
        assertThat(waiting).matches(Acquisitions::isGranted);
    }

    private void strangers(int count) {
        for (int i = 1; i <= count; i++) {
            stranger(i);
        }
    }

    /** Writes what a process leaves that has died while it waited: a session, and an entry in the queue. */
    private SessionId stranger(int number) {
        SessionId id = SessionId.of(number);
        beginSession(id);
        append(Bench.KEY, id);
        return id;
    }

    private void beginSession(SessionId id) {
        bench.table.edit(id, new SessionEdit.Begin(bench.lease(), "stranger", bench.time.now()), bench.time.now());
    }

    private void endSession(SessionId id) {
        bench.table.edit(id, new SessionEdit.End(), bench.time.now());
    }

    private void append(LockKey key, SessionId id) {
        Entry entry = new Entry.OfSession(id, 1, Mode.EXCLUSIVE, 1);
        bench.table.edit(key, Edits.append(1_000, entry), bench.time.now());
    }
}
