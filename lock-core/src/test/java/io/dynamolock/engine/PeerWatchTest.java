package io.dynamolock.engine;

import static io.dynamolock.engine.PeerWatch.Distance.NEAR;
import static io.dynamolock.engine.PeerWatch.Distance.NEXT;
import static io.dynamolock.engine.PeerWatch.Distance.OUT_OF_SIGHT;
import static io.dynamolock.engine.PeerWatch.Life.ALIVE;
import static io.dynamolock.engine.PeerWatch.Life.DEAD;
import static io.dynamolock.engine.PeerWatch.Life.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.engine.PeerWatch.Distance;
import io.dynamolock.engine.PeerWatch.Life;
import io.dynamolock.store.SessionId;
import io.dynamolock.store.testing.Fault;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PeerWatchTest {

    private static final SessionId PEER = Workbench.sessionId(1);
    private static final Duration LEASE = Workbench.SETTINGS.lease();
    private static final Duration HEARTBEAT = Workbench.SETTINGS.heartbeat();
    private static final Duration EARLY = Duration.ofMillis(250);
    private static final Duration SKEW = Workbench.SETTINGS.maxClockSkew();
    private static final Duration NANO = Duration.ofNanos(1);

    private final Workbench bench = new Workbench();
    private final List<SessionId> died = new ArrayList<>();
    private final List<Life> answers = new ArrayList<>();
    private long beats;
    private PeerWatch peers = watchWith(Workbench.SETTINGS);

    // Burying

    @Test
    void buriesASessionThatShowsTheSameBeatForItsLease() {
        create(LEASE);

        watchFor(LEASE.minusNanos(1));
        assertThat(isAlive()).isTrue();
        assertThat(peers.isDead(PEER)).isFalse();
        watchFor(NANO);

        assertThat(isAlive()).isFalse();
        assertThat(peers.isDead(PEER)).isTrue();
        assertThat(peers.watch(PEER, NEXT)).isEqualTo(DEAD);
        assertThat(died).containsExactly(PEER);
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
        bench.faults.next(StoreOperation.READ_SESSION, Fault.SLOW_ANSWER);
        peers.watch(PEER, NEXT);
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
    void oneWhoAsksDuringABurialThatFindsABeatIsAnswered() {
        create(LEASE);
        bench.faults.next(StoreOperation.BURY, Fault.STALLS);
        watchFor(LEASE);
        peers.ask(PEER, answers::add);
        bench.time.advance(Duration.ofSeconds(1));
        peers.ask(PEER, answers::add);
        beat();
        bench.faults.resume();
        bench.time.settle();

        assertThat(answers).containsExactly(ALIVE, ALIVE);
    }

    @Test
    void aBeatThatArrivesBeforeTheBurialStartsANewLease() {
        create(LEASE);
        bench.faults.next(StoreOperation.BURY, Fault.STALLS);
        watchFor(LEASE);
        beat();
        bench.faults.resume();
        bench.time.settle();
        assertThat(peers.isDead(PEER)).isFalse();

        watchFor(LEASE);
        assertThat(isAlive()).as("seen again only an interval later").isTrue();
        watchFor(Duration.ofSeconds(1));

        assertThat(isAlive()).isFalse();
        assertThat(died).containsExactly(PEER);
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
    void nothingIsReadWhileABurialIsUnderWay() {
        create(LEASE);
        bench.faults.next(StoreOperation.BURY, Fault.STALLS);
        watchFor(LEASE);
        int reads = reads();

        watchFor(Duration.ofSeconds(3));
        peers.ask(PEER, answers::add);
        bench.time.settle();

        assertThat(reads()).isEqualTo(reads);
        assertThat(answers).as("answered when the burial is").isEmpty();
        bench.faults.resume();
        bench.time.settle();
        assertThat(answers).containsExactly(DEAD);
    }

    @Test
    void aSessionWhoseItemIsGoneIsDead() {
        assertThat(peers.watch(PEER, NEXT)).isEqualTo(UNKNOWN);
        bench.time.settle();

        assertThat(peers.isDead(PEER)).isTrue();
        assertThat(died).containsExactly(PEER);
        assertThat(bench.store.count(StoreOperation.BURY)).isZero();
    }

    // By the wall clock

    @Test
    void aSessionLongSilentByTheWallClockIsBuriedAtOnce() {
        create(LEASE);
        bench.time.advance(LEASE.plus(SKEW).plusNanos(1));
        peers.storeClockSays(bench.time.now());

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
        peers.storeClockSays(bench.time.now());
        bench.clock.moveWallClock(Duration.ofHours(1));

        watchFor(Duration.ofSeconds(5));

        assertThat(isAlive()).isTrue();
    }

    @Test
    void theStoresClockGoesOnByTheMonotonicClock() {
        create(LEASE);
        bench.time.advance(Duration.ofSeconds(1));
        peers.storeClockSays(bench.time.now());
        bench.time.advance(LEASE.plus(SKEW));

        watchFor(Duration.ZERO);

        assertThat(isAlive()).isFalse();
    }

    @Test
    void aWallClockBehindTheStoresIsBelieved() {
        create(LEASE);
        bench.time.advance(LEASE.plus(SKEW).plusSeconds(1));
        peers.storeClockSays(bench.time.now());
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
        bench.faults.always(StoreOperation.READ_SESSION, Fault.SLOW_ANSWER);
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
            peers.watch(PEER, NEXT);
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

        peers.watch(PEER, NEXT);
        assertThat(reads()).isZero();
        bench.time.advance(NANO);

        assertThat(reads()).isOne();
    }

    @Test
    void aNewBeatIsNotTakenForAFreshOneIfTheReadBeforeWasLongAgo() {
        create(LEASE);
        peers.watch(PEER, NEXT);
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
        bench.faults.next(StoreOperation.READ_SESSION, Fault.THROTTLED);
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
        peers.watch(PEER, NEXT);

        bench.time.advance(Duration.ofMinutes(1));

        assertThat(reads()).isOne();
        assertThat(bench.loop.timers()).isZero();
    }

    @Test
    void aSessionThatWasAheadSinceTheLastReadIsReadOnceMore() {
        create(LEASE);
        peers.watch(PEER, NEXT);
        bench.time.advance(Duration.ofMillis(50));
        peers.watch(PEER, NEXT);

        bench.time.advance(Duration.ofMinutes(1));

        assertThat(reads()).isEqualTo(2);
        assertThat(bench.loop.timers()).isZero();
    }

    @Test
    void whoLooksSeldomIsToldBetweenTheLooks() {
        peers = watchWith(
                new Workbench.Settings().pollMin(Duration.ofSeconds(2)).build());
        create(LEASE);
        peers.watch(PEER, NEXT);

        bench.time.advance(Duration.ofSeconds(3));

        assertThat(reads()).isEqualTo(4);
    }

    @Test
    void watchingAgainReadsAtOnceIfTheLastReadIsOld() {
        create(LEASE);
        peers.watch(PEER, NEXT);
        bench.time.advance(Duration.ofSeconds(10));
        bench.store.reset();

        assertThat(peers.watch(PEER, NEXT)).isEqualTo(ALIVE);

        assertThat(reads()).isOne();
    }

    @Test
    void watchingAgainKeepsTheIntervalToTheLastRead() {
        create(LEASE);
        peers.watch(PEER, NEXT);
        bench.time.advance(Duration.ofMillis(600));
        bench.store.reset();

        peers.watch(PEER, NEXT);
        bench.time.advance(Duration.ofMillis(399));
        assertThat(reads()).isZero();
        bench.time.advance(Duration.ofMillis(1));

        assertThat(reads()).isOne();
    }

    @Test
    void aSessionThatIsAheadForAMomentIsReadByTheNextInLineOnly() {
        create(LEASE);

        peers.watch(PEER, NEAR);
        bench.time.advance(Duration.ofMillis(900));
        peers.watch(PEER, NEAR);
        assertThat(reads()).isZero();
        peers.watch(PEER, NEXT);

        assertThat(reads()).isOne();
    }

    @Test
    void oneThatIsAheadNowAndThenIsReadAtTheSecondTime() {
        create(LEASE);

        peers.watch(PEER, OUT_OF_SIGHT);
        bench.time.advance(Duration.ofMinutes(1));
        assertThat(reads()).isZero();
        peers.watch(PEER, OUT_OF_SIGHT);

        assertThat(reads()).isOne();
    }

    @Test
    void oneThatStaysAheadIsReadAfterASecond() {
        bench.time.advance(Duration.ofSeconds(10));
        create(LEASE);

        watchFor(Duration.ofSeconds(1).minusNanos(1), NEAR);
        assertThat(reads()).isZero();
        watchFor(NANO, NEAR);
        assertThat(reads()).isOne();
        watchFor(Duration.ofSeconds(2), NEAR);

        assertThat(reads()).isEqualTo(3);
    }

    @Test
    void oneBehindMoreThanALookShowsIsReadEveryThreeSeconds() {
        bench.time.advance(Duration.ofSeconds(10));
        create(LEASE);

        watchFor(Duration.ofSeconds(3).minusNanos(1), OUT_OF_SIGHT);
        assertThat(reads()).isZero();
        watchFor(Duration.ofSeconds(4), OUT_OF_SIGHT);

        assertThat(reads()).isEqualTo(2);
    }

    @Test
    void theNearestOfThoseBehindItCounts() {
        create(LEASE);
        bench.faults.always(StoreOperation.READ_SESSION, Fault.THROTTLED);

        for (int i = 0; i < 100; i++) {
            peers.watch(PEER, NEXT);
            peers.watch(PEER, OUT_OF_SIGHT);
            bench.time.advance(Duration.ofMillis(100));
        }

        assertThat(reads()).isBetween(9, 11);
    }

    @Test
    void whoAsksIsNotToldWhatWasSeenThreeSecondsAgo() {
        create(LEASE);
        watchFor(Duration.ofSeconds(4), OUT_OF_SIGHT);
        bench.time.advance(Duration.ofSeconds(1));
        bench.table.endSession(PEER);

        peers.ask(PEER, answers::add);
        bench.time.settle();

        assertThat(answers).containsExactly(DEAD);
    }

    @Test
    void comingNearerReadsSooner() {
        create(LEASE);
        watchFor(LEASE.dividedBy(4), OUT_OF_SIGHT);
        assertThat(reads()).isOne();

        peers.watch(PEER, NEAR);
        assertThat(bench.loop.timers()).isOne();
        bench.time.advance(Duration.ofSeconds(1));

        assertThat(reads()).isEqualTo(2);
    }

    @Test
    void aSessionOutOfSightIsBuriedAfterItsLease() {
        create(LEASE);

        watchFor(LEASE.plus(LEASE.dividedBy(4)), OUT_OF_SIGHT);

        assertThat(isAlive()).isFalse();
    }

    @Test
    void aReadUnderWayServesEveryoneWhoWatches() {
        create(LEASE);
        bench.faults.next(StoreOperation.READ_SESSION, Fault.STALLS);

        peers.watch(PEER, NEXT);
        peers.watch(PEER, NEXT);
        bench.time.advance(Duration.ofSeconds(2));
        peers.watch(PEER, NEXT);

        assertThat(reads()).isOne();
    }

    @Test
    void aReadThatFailsIsRepeatedAnIntervalLater() {
        create(LEASE);
        bench.faults.next(StoreOperation.READ_SESSION, Fault.THROTTLED);

        peers.watch(PEER, NEXT);
        bench.time.advance(Duration.ofMillis(999));
        assertThat(reads()).isOne();
        peers.watch(PEER, NEXT);
        bench.time.advance(Duration.ofMillis(1));

        assertThat(reads()).isEqualTo(2);
        assertThat(peers.watch(PEER, NEXT)).isEqualTo(ALIVE);
    }

    // Asking

    @Test
    void askingReadsOnceForAllWhoAskMeanwhile() {
        create(LEASE);

        peers.ask(PEER, answers::add);
        peers.ask(PEER, answers::add);
        assertThat(answers).isEmpty();
        bench.time.settle();

        assertThat(answers).containsExactly(ALIVE, ALIVE);
        assertThat(reads()).isOne();
        assertThat(bench.loop.timers()).as("asking is not watching").isZero();
    }

    @Test
    void aSessionSeenAMomentAgoNeedsNoRead() {
        create(LEASE);
        peers.ask(PEER, answers::add);
        bench.time.advance(Duration.ofMillis(999));

        peers.ask(PEER, answers::add);
        assertThat(answers).containsExactly(ALIVE, ALIVE);
        bench.time.advance(Duration.ofMillis(1));
        peers.ask(PEER, answers::add);
        assertThat(answers).hasSize(2);
        bench.time.settle();

        assertThat(answers).hasSize(3);
        assertThat(reads()).isEqualTo(2);
    }

    @Test
    void askingAboutTheDeadNeedsNoRead() {
        peers.markDead(PEER);

        peers.ask(PEER, answers::add);

        assertThat(answers).containsExactly(DEAD);
        assertThat(reads()).isZero();
    }

    @Test
    void aReadThatFailsAnswersWithWhatIsKnown() {
        create(LEASE);
        bench.faults.next(StoreOperation.READ_SESSION, Fault.THROTTLED);

        peers.ask(PEER, answers::add);
        bench.time.settle();

        assertThat(answers).containsExactly(UNKNOWN);
    }

    @Test
    void askingAboutASessionThatIsWatchedReadsAheadOfTime() {
        create(LEASE);
        bench.faults.next(StoreOperation.READ_SESSION, Fault.THROTTLED);
        peers.watch(PEER, NEXT);
        bench.time.advance(Duration.ofMillis(500));

        peers.ask(PEER, answers::add);
        bench.time.settle();

        assertThat(answers).containsExactly(ALIVE);
        bench.time.advance(Duration.ofMillis(999));
        assertThat(reads()).as("the next read is an interval after this one").isEqualTo(2);
    }

    // The dead

    @Test
    void aDeathIsToldOnceAndEndsAllReading() {
        create(LEASE);
        peers.watch(PEER, NEXT);
        bench.time.settle();
        bench.store.reset();

        peers.markDead(PEER);
        peers.markDead(PEER);
        assertThat(bench.loop.timers()).isZero();
        watchFor(Duration.ofSeconds(10));

        assertThat(died).containsExactly(PEER);
        assertThat(reads()).isZero();
    }

    @Test
    void aDeathThatIsHeardOfDuringAReadAnswersThoseWhoAsk() {
        create(LEASE);
        bench.faults.next(StoreOperation.READ_SESSION, Fault.THROTTLED);
        peers.ask(PEER, answers::add);

        peers.markDead(PEER);

        assertThat(answers).containsExactly(DEAD);
        bench.time.settle();
        assertThat(answers).hasSize(1);
        assertThat(peers.isDead(PEER)).isTrue();
    }

    @Test
    void aStrangerIsNotDead() {
        assertThat(peers.isDead(PEER)).isFalse();
    }

    @Test
    void remembersTheFourThousandLastAskedFor() {
        for (int i = 0; i < 4_096; i++) {
            peers.markDead(Workbench.sessionId(i));
        }
        assertThat(peers.isDead(Workbench.sessionId(0))).isTrue();

        peers.markDead(Workbench.sessionId(4_096));

        assertThat(peers.isDead(Workbench.sessionId(0))).isTrue();
        assertThat(peers.isDead(Workbench.sessionId(1))).isFalse();
        assertThat(peers.isDead(Workbench.sessionId(2))).isTrue();
    }

    private PeerWatch watchWith(EngineSettings settings) {
        return new PeerWatch(settings, bench.store, bench.context(settings).calls, bench.loop, bench.clock, died::add);
    }

    private void create(Duration lease) {
        bench.table.createSession(PEER, lease, "owner", bench.time.now());
    }

    private void beat() {
        bench.table.beat(PEER, ++beats, Set.of(), bench.time.now());
    }

    private boolean isAlive() {
        return bench.table.session(PEER).isPresent();
    }

    private int reads() {
        return bench.store.count(StoreOperation.READ_SESSION);
    }

    /** The read that comes then is the first to show the beat. */
    private void seesABeatAfter(Duration delay) {
        watchFor(delay.minus(NANO));
        beat();
        watchFor(NANO);
    }

    /** A caller behind the peer, who polls ten times a second. */
    private void watchFor(Duration duration) {
        Duration poll = Duration.ofMillis(100);
        Duration rest = duration;
        peers.watch(PEER, NEXT);
        bench.time.settle();
        while (rest.compareTo(poll) > 0) {
            bench.time.advance(poll);
            peers.watch(PEER, NEXT);
            rest = rest.minus(poll);
        }
        bench.time.advance(rest);
    }

    private void watchFor(Duration duration, Distance distance) {
        Duration poll = Duration.ofMillis(100);
        Duration rest = duration;
        peers.watch(PEER, distance);
        while (rest.compareTo(poll) > 0) {
            bench.time.advance(poll);
            peers.watch(PEER, distance);
            rest = rest.minus(poll);
        }
        bench.time.advance(rest);
        peers.watch(PEER, distance);
        bench.time.settle();
    }
}
