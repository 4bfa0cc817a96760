package io.dynamolock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.EngineSettings;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.protocol.SessionItem;
import io.dynamolock.protocol.Vigil;
import io.dynamolock.store.LockStore;
import io.dynamolock.store.testing.Fault;
import io.dynamolock.store.testing.InterceptedLockStore;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PeerWatchTest {

    private static final SessionId PEER = Workbench.sessionId(1);
    private static final SessionId POISONED = Workbench.sessionId(2);
    private static final Duration LEASE = Workbench.SETTINGS.lease();
    private static final Duration HEARTBEAT = Workbench.SETTINGS.heartbeat();
    private static final Duration EARLY = Duration.ofMillis(250);
    private static final Duration SKEW = Workbench.SETTINGS.maxClockSkew();
    private static final Duration NANO = Duration.ofNanos(1);

    private final Workbench bench = new Workbench();
    private final List<String> news = new ArrayList<>();
    private long beats;
    private PeerWatch peers = watchWith(Workbench.SETTINGS);

    // Burying

    @Test
    void buriesASessionThatShowsTheSameBeatForItsLease() {
        create(LEASE);

        watchFor(LEASE.minusNanos(1));
        assertThat(isAlive()).isTrue();
        assertThat(bench.get(() -> peers.isDead(PEER))).isFalse();
        watchFor(NANO);

        assertThat(isAlive()).isFalse();
        assertThat(bench.get(() -> peers.isDead(PEER))).isTrue();
        assertThat(isDead()).isTrue();
        bench.time.settle();
        assertThat(news).containsExactly("dead");
    }

    @Test
    void aBurialComesWithTheEndOfTheLeaseNotWithTheNextRead() {
        Duration lease = Duration.ofMillis(20_500);
        create(lease);

        watchFor(lease.minusNanos(1));
        assertThat(isAlive()).isTrue();
        watchFor(NANO);

        assertThat(isAlive()).isFalse();
    }

    @Test
    void theLeaseThatCountsIsThePeers() {
        Duration lease = Duration.ofMillis(10_300);
        create(lease);

        watchFor(lease.minusNanos(1));
        assertThat(isAlive()).isTrue();
        watchFor(NANO);

        assertThat(isAlive()).isFalse();
    }

    @Test
    void theLeaseCountsFromTheArrivalOfTheFirstAnswerThatShowedTheBeat() {
        create(LEASE);
        bench.faults.next(StoreOperation.READ_SESSIONS, Fault.SLOW_ANSWER);
        watch();
        bench.time.advance(Duration.ofSeconds(3));
        bench.faults.resume();

        watchFor(LEASE.minusNanos(1));
        assertThat(isAlive()).isTrue();
        watchFor(NANO);

        assertThat(isAlive()).isFalse();
    }

    @Test
    void everyNewBeatGivesAnotherLease() {
        create(LEASE);
        watchFor(LEASE.minusSeconds(1).minusNanos(1));
        beat();
        watchFor(LEASE);
        assertThat(isAlive()).isTrue();

        watchFor(Duration.ofSeconds(1));

        assertThat(isAlive()).isFalse();
    }

    @Test
    void aSilentSessionIsLeftAloneForTheLockDelayBesideItsLease() {
        Duration delay = Duration.ofSeconds(7);
        peers = watchWith(new Workbench.Settings().lockDelay(delay).build());
        create(LEASE);

        watchFor(LEASE.plus(delay).minusNanos(1));
        assertThat(isAlive()).isTrue();
        watchFor(NANO);

        assertThat(isAlive()).isFalse();
    }

    @Test
    void aBurialThatFailsIsTriedAgain() {
        create(LEASE);
        bench.faults.next(StoreOperation.BURY, Fault.THROTTLED);

        watchFor(LEASE);
        assertThat(isAlive()).isTrue();
        watchFor(Duration.ofSeconds(1));

        assertThat(isAlive()).isFalse();
    }

    @Test
    void aSessionWhoseItemIsGoneIsDead() {
        watch();
        assertThat(isDead()).isFalse();
        bench.time.settle();

        assertThat(bench.get(() -> peers.isDead(PEER))).isTrue();
        bench.time.settle();
        assertThat(news).containsExactly("dead");
        assertThat(bench.store.count(StoreOperation.BURY)).isZero();
    }

    // What cannot be read

    @Test
    void aSessionThatCannotBeReadDoesNotHideThoseBesideIt() {
        create(LEASE);
        bench.begin(POISONED, LEASE);
        bench.faults.unreadable(POISONED);

        watchFor(List.of(POISONED, PEER), LEASE);

        assertThat(isAlive()).as("taken over in time").isFalse();
        assertThat(bench.get(() -> peers.isDead(POISONED))).isFalse();
        assertThat(bench.table.session(POISONED)).isPresent();
    }

    @Test
    void aSessionThatCannotBeReadIsReadAloneUntilItCanBe() {
        create(LEASE);
        bench.begin(POISONED, LEASE);
        bench.faults.unreadable(POISONED);
        watchFor(List.of(POISONED, PEER), Duration.ofSeconds(2));
        assertThat(bench.heard.events).contains("failed: read sessions");
        int before = reads();

        watchFor(List.of(POISONED, PEER), Duration.ofSeconds(1));

        assertThat(reads()).as("each by a read of its own").isEqualTo(before + 2);
    }

    @Test
    void whoeverAsksAboutASessionThatCannotBeReadHearsThatThereIsNoNews() {
        bench.faults.unreadable(PEER);
        bench.faults.unreadable(POISONED);
        bench.run(() -> {
            peers.ask(PEER);
            peers.ask(POISONED);
        });
        bench.time.settle();

        assertThat(news).isNotEmpty();
        assertThat(bench.get(() -> peers.isDead(PEER))).isFalse();
        assertThat(bench.get(() -> peers.isAlive(PEER))).isFalse();
    }

    @Test
    void theFailureOfOnePeerNeverLeavesTheLoopOverAll() {
        create(LEASE);
        bench.begin(POISONED, LEASE);
        LockStore failing = new InterceptedLockStore(bench.store) {
            @Override
            protected <T> CompletionStage<T> intercept(StoreOperation operation, Supplier<CompletionStage<T>> call) {
                return call.get();
            }

            @Override
            public CompletionStage<Map<SessionId, Optional<SessionItem>>> sessions(Set<SessionId> ids) {
                return super.sessions(ids).thenApply(FailsForPoisoned::new);
            }
        };
        peers = watchOn(new EngineContext(
                Workbench.SETTINGS, failing, bench.loop, bench.clock, new SplittableRandom(1), bench.heard));

        watchFor(List.of(POISONED, PEER), LEASE);

        assertThat(isAlive()).as("taken over in time").isFalse();
        assertThat(bench.table.session(POISONED)).isPresent();
    }

    /** Stands for whatever may be wrong with one session. */
    private static final class FailsForPoisoned extends HashMap<SessionId, Optional<SessionItem>> {

        private static final long serialVersionUID = 1L;

        FailsForPoisoned(Map<SessionId, Optional<SessionItem>> found) {
            super(found);
        }

        @Override
        public Optional<SessionItem> get(Object id) {
            if (POISONED.equals(id)) {
                throw new ArithmeticException("long overflow");
            }
            return super.get(id);
        }
    }

    // By the wall clock

    @Test
    void aSessionLongSilentByTheWallClockIsBuriedAtOnce() {
        create(LEASE);
        bench.time.advance(LEASE.plus(SKEW).plusNanos(1));
        bench.run(() -> peers.storeClockSays(bench.time.now(), bench.time.nanos()));

        watchFor(Duration.ZERO);

        assertThat(isAlive()).isFalse();
    }

    @Test
    void aSessionSilentWithinTheBoundOnClockSkewHasALeaseToBeat() {
        create(LEASE);
        bench.time.advance(LEASE.plus(SKEW));

        watchFor(Duration.ZERO);

        assertThat(isAlive()).isTrue();
    }

    @Test
    void withoutABoundOnClockSkewOnlyTheLeaseCounts() {
        peers = watchWith(new Workbench.Settings().maxClockSkew(Duration.ZERO).build());
        create(LEASE);
        bench.time.advance(Duration.ofDays(1));

        watchFor(Duration.ZERO);

        assertThat(isAlive()).isTrue();
    }

    @Test
    void aWallClockSetAheadIsNotBelievedBeyondTheStores() {
        bench.time.advance(Duration.ofHours(1));
        create(LEASE);
        bench.run(() -> peers.storeClockSays(bench.time.now(), bench.time.nanos()));
        bench.clock.moveWallClock(Duration.ofHours(1));

        watchFor(Duration.ofSeconds(5));

        assertThat(isAlive()).isTrue();
    }

    @Test
    void theStoresClockGoesOnByTheMonotonicClock() {
        create(LEASE);
        bench.time.advance(Duration.ofSeconds(1));
        bench.run(() -> peers.storeClockSays(bench.time.now(), bench.time.nanos()));
        bench.time.advance(LEASE.plus(SKEW));

        watchFor(Duration.ZERO);

        assertThat(isAlive()).isFalse();
    }

    @Test
    void aWallClockBehindTheStoresIsBelieved() {
        create(LEASE);
        bench.time.advance(LEASE.plus(SKEW).plusSeconds(1));
        bench.run(() -> peers.storeClockSays(bench.time.now(), bench.time.nanos()));
        bench.clock.moveWallClock(Duration.ofSeconds(-2));

        watchFor(Duration.ZERO);

        assertThat(isAlive()).isTrue();
    }

    @Test
    void withoutTheStoresClockTheOwnWallClockIsBelieved() {
        create(LEASE);
        bench.clock.moveWallClock(LEASE.plus(SKEW).plusNanos(1));

        watchFor(Duration.ZERO);

        assertThat(isAlive()).isFalse();
    }

    // Reading

    @Test
    void aWatchedSessionIsReadOnceASecond() {
        create(LEASE);

        watchFor(Duration.ofSeconds(5).minusNanos(1));

        assertThat(reads()).isEqualTo(5);
    }

    @Test
    void aSessionThatHasJustBeatenIsReadAgainShortlyBeforeItsNextBeatIsDue() {
        create(LEASE);
        seesABeatAfter(Duration.ofSeconds(2));
        assertThat(reads()).isEqualTo(3);

        watchFor(HEARTBEAT.minus(EARLY).minus(NANO));
        assertThat(reads()).isEqualTo(3);
        watchFor(NANO);
        assertThat(reads()).isEqualTo(4);
        watchFor(Duration.ofSeconds(3));
        assertThat(reads()).as("once a second, as no beat has come").isEqualTo(7);
    }

    @Test
    void readsKeepInStepWithTheBeatsThoughEveryAnswerTakesTime() {
        create(LEASE);
        bench.faults.always(StoreOperation.READ_SESSIONS, Fault.SLOW_ANSWER);
        Duration step = Duration.ofMillis(10);
        long stepsPerBeat = HEARTBEAT.dividedBy(step);
        long beaten = 0;
        long sent = 0;
        boolean underWay = false;
        boolean seen = true;
        long longest = 0;
        for (long now = 0; now < 200 * stepsPerBeat; now++) {
            if (now % stepsPerBeat == 0) {
                assertThat(seen).isTrue();
                beat();
                beaten = now;
                seen = false;
            }
            if (underWay && now == sent + 3) {
                underWay = false;
                bench.faults.resume();
                if (!seen && sent >= beaten) {
                    seen = true;
                    longest = Math.max(longest, sent - beaten);
                }
            }
            int before = reads();
            watch();
            bench.time.advance(step);
            if (reads() > before) {
                underWay = true;
                sent = now;
            }
        }
        assertThat(step.multipliedBy(longest)).isLessThanOrEqualTo(Duration.ofMillis(1_050));
        assertThat(reads()).isLessThan(300);
    }

    @Test
    void theNextBeatIsDueTheSoonerTheShorterThePeersLeaseIs() {
        create(LEASE.dividedBy(2));
        seesABeatAfter(Duration.ofMillis(500));
        assertThat(reads()).isEqualTo(2);

        watchFor(HEARTBEAT.minus(EARLY).dividedBy(2).minus(NANO));
        assertThat(reads()).isEqualTo(2);
        watchFor(NANO);

        assertThat(reads()).isEqualTo(3);
    }

    @Test
    void watchingAgainDoesNotReadBeforeTheNextBeatIsDue() {
        create(LEASE);
        seesABeatAfter(Duration.ofSeconds(1));
        bench.time.advance(HEARTBEAT.minus(EARLY).minus(NANO));
        bench.store.reset();

        watch();
        assertThat(reads()).isZero();
        bench.time.advance(NANO);

        assertThat(reads()).isOne();
    }

    @Test
    void aNewBeatIsNotTakenForAFreshOneIfTheReadBeforeWasLongAgo() {
        create(LEASE);
        watch();
        bench.time.advance(HEARTBEAT.plus(NANO));
        beat();
        bench.store.reset();

        watchFor(Duration.ofSeconds(3));

        assertThat(reads()).isEqualTo(4);
    }

    @Test
    void afterAReadThatFailedTheSessionIsReadAnIntervalLaterThoughItHadJustBeaten() {
        create(LEASE);
        seesABeatAfter(Duration.ofSeconds(1));
        bench.faults.next(StoreOperation.READ_SESSIONS, Fault.THROTTLED);
        watchFor(HEARTBEAT.minus(EARLY));
        bench.store.reset();

        watchFor(Duration.ofSeconds(2));

        assertThat(reads()).isEqualTo(2);
    }

    @Test
    void aHeartbeatMoreOftenThanTheReadsChangesNothing() {
        peers = watchWith(
                new Workbench.Settings().heartbeat(Duration.ofMillis(300)).build());
        create(LEASE);
        seesABeatAfter(Duration.ofSeconds(1));

        watchFor(Duration.ofMillis(1500));

        assertThat(reads()).isEqualTo(3);
    }

    @Test
    void aShortLeaseIsReadTwentyTimes() {
        create(Duration.ofSeconds(10));

        watchFor(Duration.ofSeconds(5).minusNanos(1));

        assertThat(reads()).isEqualTo(10);
    }

    @Test
    void aSessionThatIsNoLongerAheadIsNotReadOn() {
        create(LEASE);
        watch();

        bench.time.advance(Duration.ofMinutes(1));

        assertThat(reads()).isOne();
        assertThat(bench.loop.timers()).isZero();
    }

    @Test
    void aSessionThatWasAheadSinceTheLastReadIsReadOnceMore() {
        create(LEASE);
        watch();
        bench.time.advance(Duration.ofMillis(50));
        watch();

        bench.time.advance(Duration.ofMinutes(1));

        assertThat(reads()).isEqualTo(2);
        assertThat(bench.loop.timers()).isZero();
    }

    @Test
    void watchingAgainReadsAtOnceIfTheLastReadIsOld() {
        create(LEASE);
        watch();
        bench.time.advance(Duration.ofSeconds(10));
        bench.store.reset();

        watch();
        bench.time.settle();

        assertThat(reads()).isOne();
    }

    @Test
    void watchingAgainKeepsTheIntervalToTheLastRead() {
        create(LEASE);
        watch();
        bench.time.advance(Duration.ofMillis(600));
        bench.store.reset();

        watch();
        bench.time.advance(Duration.ofMillis(399));
        assertThat(reads()).isZero();
        bench.time.advance(Duration.ofMillis(1));

        assertThat(reads()).isOne();
    }

    @Test
    void aReadUnderWayServesEveryoneWhoWatches() {
        create(LEASE);
        bench.faults.next(StoreOperation.READ_SESSIONS, Fault.STALLS);

        watch();
        watch();
        bench.time.advance(Duration.ofSeconds(2));
        watch();

        assertThat(reads()).isOne();
    }

    @Test
    void aReadThatFailsIsRepeatedAnIntervalLater() {
        create(LEASE);
        bench.faults.next(StoreOperation.READ_SESSIONS, Fault.THROTTLED);

        watch();
        bench.time.advance(Duration.ofMillis(999));
        assertThat(reads()).isOne();
        watch();
        bench.time.advance(Duration.ofMillis(1));

        assertThat(reads()).isEqualTo(2);
        bench.time.settle();
        assertThat(bench.get(() -> peers.isAlive(PEER))).isTrue();
    }

    // Asking

    @Test
    void askingReadsOnceForAllWhoAskMeanwhile() {
        create(LEASE);

        assertThat(ask()).isTrue();
        assertThat(ask()).isTrue();
        assertThat(news).isEmpty();
        bench.time.settle();

        assertThat(news).containsExactly("alive");
        assertThat(reads()).isOne();
        assertThat(bench.loop.timers()).as("asking is not watching").isZero();
    }

    @Test
    void aSessionSeenAMomentAgoNeedsNoRead() {
        create(LEASE);
        ask();
        bench.time.advance(Duration.ofMillis(999));

        assertThat(ask()).isFalse();
        assertThat(bench.get(() -> peers.isAlive(PEER))).isTrue();
        bench.time.advance(Duration.ofMillis(1));
        assertThat(bench.get(() -> peers.isAlive(PEER))).isFalse();
        assertThat(ask()).isTrue();
        bench.time.settle();

        assertThat(news).containsExactly("alive", "alive");
        assertThat(reads()).isEqualTo(2);
    }

    @Test
    void askingAboutTheDeadNeedsNoRead() {
        bench.run(() -> peers.markDead(PEER));

        assertThat(ask()).isFalse();
        bench.time.settle();

        assertThat(reads()).isZero();
    }

    @Test
    void aReadThatFailsIsNewsToo() {
        create(LEASE);
        bench.faults.next(StoreOperation.READ_SESSIONS, Fault.THROTTLED);

        ask();
        bench.time.settle();

        assertThat(news).containsExactly("unknown");
    }

    @Test
    void askingAgainHasToWaitForThePauseAfterAFailedRead() {
        create(LEASE);
        bench.faults.next(StoreOperation.READ_SESSIONS, Fault.THROTTLED);
        ask();
        bench.time.advance(Duration.ofMillis(999));
        assertThat(ask()).isFalse();
        bench.time.advance(Duration.ofMillis(1));

        assertThat(ask()).isTrue();
        bench.time.settle();

        assertThat(news).containsExactly("unknown", "alive");
    }

    @Test
    void askingAboutASessionThatIsWatchedReadsAheadOfTime() {
        create(LEASE);
        seesABeatAfter(Duration.ofSeconds(1));
        bench.time.advance(Duration.ofSeconds(2));
        bench.store.reset();

        ask();
        bench.time.settle();

        assertThat(news).containsExactly("alive");
        assertThat(reads()).isOne();
    }

    @Test
    void aReadThatNobodyAskedForIsNoNewsIfTheSessionLives() {
        create(LEASE);
        watchFor(Duration.ofSeconds(5));

        assertThat(news).isEmpty();
    }

    @Test
    void whoAsksAboutASilentSessionIsAnsweredWhenItsBurialIs() {
        create(LEASE);
        bench.faults.next(StoreOperation.BURY, Fault.STALLS);
        watchFor(LEASE);
        int reads = reads();
        assertThat(bench.get(() -> peers.isAlive(PEER))).isFalse();

        assertThat(ask()).isTrue();
        watchFor(Duration.ofSeconds(3));
        assertThat(reads()).as("while the burial is under way").isEqualTo(reads);
        assertThat(news).isEmpty();
        bench.faults.resume();
        bench.time.settle();

        assertThat(news).containsExactly("dead");
    }

    @Test
    void aBeatThatArrivesBeforeTheBurialStartsANewLease() {
        create(LEASE);
        bench.faults.next(StoreOperation.BURY, Fault.STALLS);
        watchFor(LEASE);
        ask();
        beat();
        bench.faults.resume();
        bench.time.settle();
        assertThat(news).containsExactly("alive");

        watchFor(LEASE.minusNanos(1));
        assertThat(isAlive()).isTrue();
        watchFor(NANO);

        assertThat(isAlive()).isFalse();
        assertThat(news).endsWith("dead");
    }

    // Crowds

    @Test
    void aCrowdThatIsWatchedTogetherIsReadAndBuriedTogether() {
        List<SessionId> crowd =
                LongStream.range(1, 181).mapToObj(Workbench::sessionId).toList();
        crowd.forEach(id -> bench.begin(id, LEASE));

        watchFor(crowd, LEASE.plus(NANO));

        assertThat(bench.table.sessionIds()).isEmpty();
        assertThat(reads()).as("two calls a second").isLessThanOrEqualTo(42);
        assertThat(news).as("one for all that a burial's answer showed").hasSizeLessThanOrEqualTo(180);
    }

    @Test
    void aCrowdThatCameOneByOneIsSoonReadTogether() {
        List<SessionId> crowd =
                LongStream.range(1, 81).mapToObj(Workbench::sessionId).toList();
        crowd.forEach(id -> bench.begin(id, LEASE));
        for (SessionId id : crowd) {
            bench.run(() -> peers.watch(id));
            bench.time.advance(Duration.ofMillis(12));
        }
        bench.store.reset();

        watchFor(crowd, Duration.ofSeconds(10));

        assertThat(reads()).isLessThan(60);
    }

    @Test
    void aMissedBeatMakesASessionQuietAndANewOneEndsThat() {
        create(LEASE);
        watchFor(HEARTBEAT.multipliedBy(3).dividedBy(2));
        assertThat(isQuiet()).isFalse();

        watchFor(Duration.ofSeconds(1));
        assertThat(isQuiet()).isTrue();
        beat();
        watchFor(Duration.ofSeconds(1));

        assertThat(isQuiet()).isFalse();
    }

    @Test
    void aShortLeaseIsQuietTheSooner() {
        create(LEASE.dividedBy(2));

        watchFor(HEARTBEAT.dividedBy(2).multipliedBy(3).dividedBy(2).plus(Duration.ofMillis(500)));

        assertThat(isQuiet()).isTrue();
    }

    @Test
    void aSessionThatWasNotReadMeanwhileIsNotQuiet() {
        create(LEASE);
        watchFor(Duration.ZERO);

        bench.time.advance(HEARTBEAT.multipliedBy(3));

        assertThat(isQuiet()).isFalse();
    }

    @Test
    void tellsTheOwnerOfASessionThatHasBeenRead() {
        create(LEASE);
        assertThat(owner()).isEmpty();

        watchFor(Duration.ZERO);

        assertThat(owner()).contains("owner");
    }

    // The dead

    @Test
    void aDeathIsToldOnceAndEndsAllReading() {
        create(LEASE);
        watch();
        bench.time.settle();
        bench.store.reset();

        markDead(PEER);
        markDead(PEER);
        assertThat(bench.loop.timers()).isZero();
        watchFor(Duration.ofSeconds(10));

        bench.time.settle();
        assertThat(news).containsExactly("dead");
        assertThat(reads()).isZero();
    }

    @Test
    void aDeathThatIsHeardOfDuringAReadIsNewsAsAnEventOfItsOwn() {
        create(LEASE);
        bench.faults.next(StoreOperation.READ_SESSIONS, Fault.SLOW_ANSWER);
        ask();
        bench.time.settle();

        markDead(PEER);
        assertThat(news).isEmpty();
        bench.time.settle();
        assertThat(news).containsExactly("dead");
        bench.faults.resume();
        bench.time.settle();

        assertThat(news).hasSize(1);
        assertThat(isDead()).isTrue();
    }

    @Test
    void aStrangerIsNotDead() {
        assertThat(bench.get(() -> peers.isDead(PEER))).isFalse();
    }

    @Test
    void remembersTheFourThousandLastAskedFor() {
        for (int i = 0; i < 4_096; i++) {
            markDead(Workbench.sessionId(i));
        }
        assertThat(bench.get(() -> peers.isDead(Workbench.sessionId(0)))).isTrue();

        markDead(Workbench.sessionId(4_096));

        assertThat(bench.get(() -> peers.isDead(Workbench.sessionId(0)))).isTrue();
        assertThat(bench.get(() -> peers.isDead(Workbench.sessionId(1)))).isFalse();
        assertThat(bench.get(() -> peers.isDead(Workbench.sessionId(2)))).isTrue();
    }

    private PeerWatch watchWith(EngineSettings settings) {
        return watchOn(bench.context(settings));
    }

    private PeerWatch watchOn(EngineContext context) {
        EngineSettings settings = context.settings;
        Vigil vigil = new Vigil(settings.lease(), settings.lockDelay(), settings.maxClockSkew());
        return new PeerWatch(context, vigil, () -> {
            assertThat(bench.loop.isCurrent()).isTrue();
            news.add(peers.isDead(PEER) ? "dead" : peers.isAlive(PEER) ? "alive" : "unknown");
        });
    }

    private void create(Duration lease) {
        bench.begin(PEER, lease);
    }

    private void beat() {
        bench.beat(PEER, ++beats);
    }

    private void watch() {
        bench.run(() -> peers.watch(PEER));
    }

    private boolean ask() {
        return bench.get(() -> peers.ask(PEER));
    }

    private void markDead(SessionId id) {
        bench.run(() -> peers.markDead(id));
    }

    private boolean isDead() {
        return bench.get(() -> peers.isDead(PEER));
    }

    private boolean isQuiet() {
        return bench.get(() -> peers.isQuiet(PEER));
    }

    private Optional<String> owner() {
        return bench.get(() -> Optional.ofNullable(peers.owner(PEER)));
    }

    private boolean isAlive() {
        return bench.table.session(PEER).isPresent();
    }

    private int reads() {
        return bench.store.count(StoreOperation.READ_SESSIONS);
    }

    /** The read that comes then is the first to show the beat. */
    private void seesABeatAfter(Duration delay) {
        watchFor(delay.minus(NANO));
        beat();
        watchFor(NANO);
    }

    /** A caller behind the peer, who looks ten times a second. */
    private void watchFor(Duration duration) {
        watchFor(List.of(PEER), duration);
    }

    private void watchFor(List<SessionId> ids, Duration duration) {
        Duration poll = Duration.ofMillis(100);
        Duration rest = duration;
        bench.run(() -> ids.forEach(peers::watch));
        bench.time.settle();
        while (rest.compareTo(poll) > 0) {
            bench.time.advance(poll);
            bench.run(() -> ids.forEach(peers::watch));
            rest = rest.minus(poll);
        }
        bench.time.advance(rest);
    }
}
