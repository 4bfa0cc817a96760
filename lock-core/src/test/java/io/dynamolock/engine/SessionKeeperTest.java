package io.dynamolock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.EngineSettings;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.protocol.Dispute;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.Eviction;
import io.dynamolock.protocol.SessionStep;
import io.dynamolock.store.testing.Fault;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SessionKeeperTest {

    private static final EngineSettings SETTINGS = Workbench.SETTINGS;
    private static final Duration LEASE = SETTINGS.lease();
    private static final Duration VALID_FOR = LEASE.minus(SETTINGS.driftMargin());
    private static final Duration HEARTBEAT = SETTINGS.heartbeat();
    private static final Duration HALF_OF_THE_SKEW = SETTINGS.maxClockSkew().dividedBy(2);
    private static final Duration MILLI = Duration.ofMillis(1);
    private static final Dispute DISPUTE = new Dispute(Workbench.KEY, Workbench.block(Workbench.sessionId(1), 1));

    private final Workbench bench = new Workbench();
    private final Told told = new Told();
    private final List<SessionId> dead = new ArrayList<>();
    private boolean needed = true;
    private SessionKeeper keeper = keeperWith(SETTINGS);

    // Creating

    @Test
    void createsOneSessionWhenSomeoneNeedsIt() {
        bench.time.advance(LEASE);
        assertThat(bench.store.total()).isZero();

        want();
        want();
        bench.time.settle();

        Session session = current();
        assertThat(session).isNotNull();
        assertThat(told.events).containsExactly("store's clock", "started");
        assertThat(bench.get(() -> keeper.isOwn(session.id()))).isTrue();
        assertThat(bench.get(() -> keeper.isOwn(Workbench.sessionId(1)))).isFalse();
        assertThat(bench.table.sessionIds()).containsExactly(session.id());
        assertThat(bench.table.session(session.id())).hasValueSatisfying(state -> {
            assertThat(state.lease()).isEqualTo(LEASE);
            assertThat(state.owner()).isEqualTo(SETTINGS.owner());
        });
    }

    @Test
    void beforeThereIsOneNoneIsOwn() {
        assertThat(bench.get(() -> keeper.isOwn(Workbench.sessionId(1)))).isFalse();
        bench.run(keeper::check);

        assertThat(bench.store.total()).isZero();
    }

    @Test
    void aCreationThatFailsIsRepeatedUnderANewIdWithGrowingPauses() {
        bench.faults.next(StoreOperation.BEGIN_SESSION, Fault.THROTTLED, 2);
        want();
        bench.time.settle();
        assertThat(told.events).containsExactly("not started: THROTTLED");
        assertThat(bench.get(() -> Optional.ofNullable(keeper.failure()))).isPresent();

        bench.time.advance(Duration.ofMillis(50));
        assertThat(creations()).isEqualTo(2);
        bench.time.advance(Duration.ofMillis(74));
        assertThat(creations()).isEqualTo(2);
        bench.time.advance(Duration.ofMillis(26));

        assertThat(creations()).isEqualTo(3);
        assertThat(current()).isNotNull();
        assertThat(bench.get(() -> Optional.ofNullable(keeper.failure()))).isEmpty();
        assertThat(bench.store.count(StoreOperation.END_SESSION))
                .as("throttled calls have no effect")
                .isZero();
    }

    @Test
    void theNextSessionStartsWithTheShortestPauseAgain() {
        bench.faults.next(StoreOperation.BEGIN_SESSION, Fault.THROTTLED, 6);
        want();
        bench.time.advance(Duration.ofSeconds(10));
        Session first = current();
        bench.end(first.id());
        bench.faults.next(StoreOperation.BEGIN_SESSION, Fault.THROTTLED, 1);
        bench.time.advance(HEARTBEAT);
        bench.store.reset();

        want();
        bench.time.advance(Duration.ofMillis(50));

        assertThat(creations()).isEqualTo(2);
    }

    @Test
    void aCreationThatMayHaveHappenedIsTakenBack() {
        bench.faults.next(StoreOperation.BEGIN_SESSION, Fault.LOST_ANSWER);
        want();
        bench.time.advance(Duration.ofMillis(50));

        assertThat(bench.table.sessionIds()).containsExactly(current().id());
        assertThat(bench.store.count(StoreOperation.END_SESSION)).isOne();
    }

    @Test
    void nothingIsRepeatedForNobody() {
        bench.faults.next(StoreOperation.BEGIN_SESSION, Fault.THROTTLED);
        want();
        needed = false;

        bench.time.advance(LEASE);

        assertThat(creations()).isOne();
    }

    @Test
    void whatBecameOfABeginningThatWasGivenUpSaysNothingOfTheNext() {
        bench.faults.next(StoreOperation.BEGIN_SESSION, Fault.THROTTLED);
        want();
        needed = false;
        bench.time.advance(LEASE);
        needed = true;
        bench.faults.next(StoreOperation.BEGIN_SESSION, Fault.SLOW_ANSWER);

        want();
        bench.time.settle();

        assertThat(creations()).isEqualTo(2);
        assertThat(bench.get(() -> Optional.ofNullable(keeper.failure()))).isEmpty();
    }

    @Test
    void aSessionThatIsOverWhenItsCreationIsAnsweredIsNotUsed() {
        keeper = keeperWith(new Workbench.Settings()
                .lease(Duration.ofSeconds(4))
                .heartbeat(Duration.ofSeconds(1))
                .build());
        bench.faults.next(StoreOperation.BEGIN_SESSION, Fault.SLOW_ANSWER);
        want();
        bench.time.advance(Duration.ofMillis(900));
        bench.clock.moveWallClock(Duration.ofSeconds(3));
        bench.faults.resume();
        bench.time.settle();
        assertThat(told.events).isEmpty();
        bench.time.settle();
        assertThat(bench.table.sessionIds()).isEmpty();

        bench.time.advance(Duration.ofMillis(50));

        assertThat(told.events).contains("started");
        assertThat(current()).isNotNull();
    }

    @Test
    void anIdThatExistsAlreadyIsLeftAloneAndAnotherIsTaken() {
        bench.begin(bench.context().newSessionId(), LEASE);
        SessionId others = bench.table.sessionIds().iterator().next();
        want();
        bench.time.settle();
        assertThat(current()).isNull();

        bench.time.advance(Duration.ofMillis(50));

        assertThat(bench.table.sessionIds())
                .containsExactlyInAnyOrder(others, current().id());
        assertThat(bench.store.count(StoreOperation.END_SESSION)).isZero();
    }

    @Test
    void wantingOneDuringThePauseAfterAFailureSendsNothing() {
        bench.faults.next(StoreOperation.BEGIN_SESSION, Fault.THROTTLED);
        want();
        bench.time.settle();

        want();
        bench.time.advance(Duration.ofMillis(49));
        assertThat(creations()).isOne();
        needed = false;
        bench.time.advance(Duration.ofSeconds(1));
        assertThat(creations()).as("nobody needs it").isOne();

        want();
        assertThat(creations()).as("somebody does again").isEqualTo(2);
    }

    private static EngineSettings shortLease() {
        return new Workbench.Settings()
                .lease(Duration.ofSeconds(3))
                .heartbeat(Duration.ofMillis(750))
                .driftMargin(Duration.ofMillis(150))
                .callTimeout(Duration.ofMillis(600))
                .build();
    }

    /** The first call of a process also loads classes, finds credentials and connects. */
    @Test
    void beginningMayTakeLongerThanABeat() {
        keeper = keeperWith(shortLease());
        bench.faults.next(StoreOperation.BEGIN_SESSION, Fault.SLOW_ANSWER);
        want();
        bench.time.advance(Duration.ofMillis(2_200));
        assertThat(told.events).isEmpty();

        bench.faults.resume();
        bench.time.settle();

        assertThat(told.events).endsWith("started");
        assertThat(beats()).as("a beat that is due by then is sent at once").isOne();
        assertThat(current().remaining()).isEqualTo(Duration.ofMillis(2_850));
    }

    @Test
    void aBeginningThatWasAnsweredTooLateForABeatIsFollowedByAnotherAtOnce() {
        keeper = keeperWith(shortLease());
        bench.faults.next(StoreOperation.BEGIN_SESSION, Fault.SLOW_ANSWER);
        want();
        bench.time.advance(Duration.ofMillis(2_250));
        bench.faults.resume();
        bench.time.settle();
        assertThat(current()).isNull();

        bench.time.advance(Duration.ofMillis(50));

        assertThat(creations()).isEqualTo(2);
        assertThat(told.events).containsExactly("store's clock", "started");
        assertThat(bench.table.sessionIds()).containsExactly(current().id());
    }

    @Test
    void aBeginningThatIsAlwaysAnsweredTooLateIsAFailureFromTheSecondTimeOn() {
        keeper = keeperWith(shortLease());
        bench.faults.always(StoreOperation.BEGIN_SESSION, Fault.SLOW_ANSWER);
        want();
        for (int i = 0; i < 3; i++) {
            bench.time.advance(Duration.ofMillis(2_500));
            bench.faults.resume();
            bench.time.advance(Duration.ofMillis(200));
        }

        assertThat(told.events).filteredOn("not started: UNAVAILABLE"::equals).hasSize(2);
        assertThat(bench.heard.events).containsExactly("failed: create session", "failed: create session");
        assertThat(bench.get(() -> Optional.ofNullable(keeper.failure())))
                .hasValueSatisfying(failure -> assertThat(failure)
                        .hasMessageContainingAll("create session", "only after PT2.", "a lease of PT3S"));

        bench.faults.heal();
        bench.faults.resume();
        bench.time.advance(Duration.ofSeconds(5));
        assertThat(current()).isNotNull();
        assertThat(bench.table.sessionIds()).containsExactly(current().id());
    }

    @Test
    void aBeginningWithoutAnAnswerIsGivenUpAfterFourSeconds() {
        keeper = keeperWith(shortLease());
        bench.faults.next(StoreOperation.BEGIN_SESSION, Fault.STALLS);
        want();

        bench.time.advance(Duration.ofMillis(3_999));
        assertThat(told.events).isEmpty();
        bench.time.advance(MILLI);
        assertThat(told.events).containsExactly("not started: UNAVAILABLE");
        bench.time.advance(Duration.ofMillis(50));

        assertThat(current()).isNotNull();
    }

    // Clocks

    @Test
    void aClockThatIsHalfOfTheSkewOffHoldsASession() {
        bench.clock.moveWallClock(HALF_OF_THE_SKEW);
        want();
        bench.time.settle();

        assertThat(current()).isNotNull();
    }

    @Test
    void aClockThatIsFurtherOffHoldsNone() {
        bench.clock.moveWallClock(HALF_OF_THE_SKEW.plusNanos(1).negated());
        want();
        bench.time.settle();

        assertThat(told.events).containsExactly("not started: WRONG_CLOCK");
        assertThat(bench.table.sessionIds()).isEmpty();
        bench.clock.moveWallClock(Duration.ofMillis(1));
        bench.time.advance(Duration.ofSeconds(1));
        assertThat(current()).as("once the clock is set").isNotNull();
    }

    @Test
    void withoutABoundOnClockSkewAnyClockWillDo() {
        keeper = keeperWith(new Workbench.Settings().maxClockSkew(Duration.ZERO).build());
        bench.clock.moveWallClock(Duration.ofDays(-1));
        Session session = started();

        bench.time.advance(HEARTBEAT);
        bench.clock.moveWallClock(Duration.ofDays(-1));
        bench.time.advance(HEARTBEAT.multipliedBy(4));

        assertThat(current()).isSameAs(session);
    }

    @Test
    void aWallClockSetBackByHalfOfTheSkewIsPutUpWith() {
        Session session = started();
        bench.clock.moveWallClock(HALF_OF_THE_SKEW.negated());

        bench.time.advance(HEARTBEAT);

        assertThat(current()).isSameAs(session);
    }

    @Test
    void aWallClockSetBackFurtherEndsTheSession() {
        started();
        bench.clock.moveWallClock(HALF_OF_THE_SKEW.plusNanos(1).negated());

        bench.time.advance(HEARTBEAT);

        assertThat(told.events).endsWith("lost");
        assertThat(told.ends).containsExactly(SessionEnd.WALL_CLOCK_BACK);
        assertThat(bench.store.count(StoreOperation.BEAT)).isZero();
        assertThat(bench.table.sessionIds()).isEmpty();
    }

    /** Where the monotonic clock stands still while the machine does, the wall clock gains on it each time. */
    @Test
    void aWallClockSetBackEndsTheSessionHoweverFarItHadGainedOnTheMonotonicOneBefore() {
        Session session = started();
        for (int i = 0; i < 30; i++) {
            bench.clock.moveWallClock(Duration.ofSeconds(10));
            bench.time.advance(HEARTBEAT);
        }
        assertThat(current()).isSameAs(session);
        assertThat(beats()).isEqualTo(30);

        bench.clock.moveWallClock(Duration.ofMinutes(-6));
        bench.time.advance(HEARTBEAT);

        assertThat(told.ends).containsExactly(SessionEnd.WALL_CLOCK_BACK);
        assertThat(beats()).as("the beat is not written").isEqualTo(30);
    }

    // Beating

    @Test
    void beatsAtEveryInterval() {
        started();

        bench.time.advance(HEARTBEAT.minus(MILLI));
        assertThat(beats()).isZero();
        bench.time.advance(MILLI);
        assertThat(beats()).isOne();
        bench.time.advance(HEARTBEAT.multipliedBy(10).minus(MILLI));
        assertThat(beats()).isEqualTo(10);
        bench.time.advance(MILLI);
        assertThat(beats()).isEqualTo(11);
    }

    @Test
    void theIntervalCountsFromTheSendingHoweverLateTheAnswer() {
        started();
        bench.faults.next(StoreOperation.BEAT, Fault.SLOW_ANSWER);
        bench.time.advance(HEARTBEAT.plusSeconds(3));
        bench.faults.resume();

        bench.time.advance(Duration.ofMillis(1_999));
        assertThat(beats()).isOne();
        bench.time.advance(MILLI);

        assertThat(beats()).isEqualTo(2);
    }

    @Test
    void anAnswerThatIsLaterThanTheNextBeatIsFollowedByItAtOnce() {
        keeper = keeperWith(
                new Workbench.Settings().heartbeat(Duration.ofSeconds(1)).build());
        started();
        bench.faults.next(StoreOperation.BEAT, Fault.SLOW_ANSWER);
        bench.time.advance(Duration.ofSeconds(3));
        bench.faults.resume();
        bench.time.settle();

        assertThat(beats()).isEqualTo(2);
    }

    @Test
    void aBeatThatFailsIsRepeatedAfterAQuarterOfTheInterval() {
        started();
        bench.faults.next(StoreOperation.BEAT, Fault.THROTTLED);
        bench.time.advance(HEARTBEAT.plus(Duration.ofMillis(900)));
        assertThat(beats()).isOne();

        bench.time.advance(Duration.ofMillis(350));

        assertThat(beats()).isEqualTo(2);
    }

    @Test
    void aBeatHasItsAnswerWithinAQuarterOfTheLease() {
        Duration lease = Duration.ofSeconds(8);
        keeper = keeperWith(new Workbench.Settings().lease(lease).build());
        started();
        bench.faults.next(StoreOperation.BEAT, Fault.STALLS);

        bench.time.advance(HEARTBEAT.plus(lease.dividedBy(4)).minus(MILLI));
        assertThat(bench.heard.events).isEmpty();
        bench.time.advance(MILLI);

        assertThat(bench.heard.events).containsExactly("failed: beat");
    }

    @Test
    void aBeatHasItsAnswerWithinTheCallTimeout() {
        started();
        bench.faults.next(StoreOperation.BEAT, Fault.STALLS);

        bench.time.advance(HEARTBEAT.plus(SETTINGS.callTimeout()).minus(MILLI));
        assertThat(bench.heard.events).isEmpty();
        bench.time.advance(MILLI);

        assertThat(bench.heard.events).containsExactly("failed: beat");
    }

    @Test
    void disputesAreToldAndSettledWithTheNextBeat() {
        Session session = started();
        bench.table.take(session.id(), new SessionStep.Raise(DISPUTE), bench.time.now());

        bench.time.advance(HEARTBEAT);
        assertThat(told.events).endsWith("disputed " + Set.of(DISPUTE));
        assertThat(bench.disputes(session.id())).containsExactly(DISPUTE);
        bench.time.advance(HEARTBEAT);
        assertThat(bench.disputes(session.id())).isEmpty();

        bench.table.take(session.id(), new SessionStep.Raise(DISPUTE), bench.time.now());
        bench.time.advance(HEARTBEAT);
        assertThat(told.events)
                .as("disputed anew")
                .filteredOn(event -> event.startsWith("disputed"))
                .hasSize(2);
    }

    @Test
    void aBeatThatFindsNoDisputeTellsNobody() {
        started();
        bench.time.advance(HEARTBEAT);

        assertThat(told.events).noneMatch(event -> event.startsWith("disputed"));
    }

    @Test
    void anEvictionIsToldOnceAndTakenAwayWithTheNextBeat() {
        Session session = started();
        Eviction eviction = Eviction.of(Workbench.KEY, new Entry(Workbench.block(session.id(), 1), 1), 1);
        SessionStep evict = new SessionStep.Evict(eviction);
        bench.table.take(session.id(), evict, bench.time.now());
        bench.faults.next(StoreOperation.BEAT, Fault.LOST_ANSWER);

        bench.time.advance(HEARTBEAT.multipliedBy(2));
        assertThat(told.events).endsWith("evicted " + Set.of(eviction));
        bench.time.advance(HEARTBEAT);
        assertThat(evictions(session)).isEmpty();

        bench.table.take(session.id(), evict, bench.time.now());
        bench.time.advance(HEARTBEAT.multipliedBy(2));
        assertThat(told.events)
                .as("the same that has landed again")
                .filteredOn(event -> event.startsWith("evicted"))
                .hasSize(1);
        assertThat(evictions(session)).isEmpty();
    }

    @Test
    void anotherEvictionFromTheSameBlockIsToldAnew() {
        Session session = started();
        for (int nonce = 1; nonce <= 2; nonce++) {
            Eviction eviction = Eviction.of(Workbench.KEY, new Entry(Workbench.block(session.id(), 1), 1), nonce);
            bench.table.take(session.id(), new SessionStep.Evict(eviction), bench.time.now());
            bench.time.advance(HEARTBEAT);
        }

        assertThat(told.events)
                .filteredOn(event -> event.startsWith("evicted"))
                .hasSize(2)
                .doesNotHaveDuplicates();
    }

    private Set<Eviction> evictions(Session session) {
        return bench.table.session(session.id()).orElseThrow().evictions();
    }

    // Losing

    @Test
    void aSessionWhoseItemIsGoneIsLostAndDead() {
        Session session = started();
        bench.end(session.id());

        bench.time.advance(HEARTBEAT);

        assertThat(told.events).endsWith("lost");
        assertThat(told.ends).containsExactly(SessionEnd.BURIED);
        assertThat(session.isValid()).isFalse();
        assertThat(bench.get(() -> keeper.isOwn(session.id()))).isFalse();
        assertThat(dead).containsExactly(session.id());
        assertThat(bench.store.count(StoreOperation.END_SESSION))
                .as("nothing is there to delete")
                .isZero();
        assertThat(bench.loop.timers()).isZero();
    }

    @Test
    void aSessionThatNoBeatReachesIsLostWhenItsValidityEndsAndItsItemIsDeleted() {
        Session session = started();
        bench.faults.always(StoreOperation.BEAT, Fault.THROTTLED);

        bench.time.advance(VALID_FOR.minusNanos(1));
        assertThat(told.events).doesNotContain("lost");
        bench.time.advance(Duration.ofNanos(2));

        assertThat(told.events).endsWith("lost");
        assertThat(told.ends).containsExactly(SessionEnd.NO_BEAT);
        assertThat(session.isValid()).isFalse();
        assertThat(dead).containsExactly(session.id());
        assertThat(bench.table.sessionIds()).isEmpty();
        assertThat(bench.loop.timers()).isZero();
    }

    @Test
    void everyBeatPutsTheEndOff() {
        Session session = started();
        bench.time.advance(HEARTBEAT);
        bench.faults.always(StoreOperation.BEAT, Fault.THROTTLED);

        bench.time.advance(VALID_FOR.minusNanos(1));
        assertThat(current()).isSameAs(session);
        assertThat(told.events).doesNotContain("lost");
        bench.time.advance(Duration.ofNanos(2));

        assertThat(told.events).endsWith("lost");
    }

    @Test
    void aWallClockThatJumpedAheadIsFoundByACheck() {
        started();
        bench.clock.moveWallClock(LEASE);

        bench.run(keeper::check);

        assertThat(told.events).endsWith("lost");
        assertThat(told.ends).containsExactly(SessionEnd.WALL_CLOCK_AHEAD);
        want();
        bench.time.settle();
        assertThat(current()).isNotNull();
    }

    @Test
    void askingForASessionThatIsOverChangesNothing() {
        Session session = started();
        bench.clock.moveWallClock(LEASE);

        assertThat(current()).isNull();
        assertThat(bench.get(keeper::age))
                .as("no caller waits for its first call")
                .isEqualTo(AcquireSpec.FOREVER);
        bench.time.settle();

        assertThat(told.events).doesNotContain("lost");
        assertThat(bench.get(() -> keeper.isOwn(session.id()))).isTrue();
    }

    @Test
    void wantingOneWhenTheLastIsOverLosesThatAsAnEventOfItsOwn() {
        started();
        bench.clock.moveWallClock(LEASE);

        want();
        assertThat(told.events).doesNotContain("lost");
        bench.time.settle();

        assertThat(told.events).endsWith("lost");
    }

    @Test
    void aBeatThatIsRefusedForALaterOneShowsThatTheSessionLives() {
        Session session = started();
        bench.beat(session.id(), 7);

        bench.time.advance(HEARTBEAT);

        assertThat(current()).isSameAs(session);
        assertThat(session.remaining()).isEqualTo(VALID_FOR);
    }

    @Test
    void aWallClockThatJumpedAheadIsFoundByTheNextBeatWhichIsNotSent() {
        started();
        bench.clock.moveWallClock(LEASE);

        bench.time.advance(HEARTBEAT);

        assertThat(told.events).endsWith("lost");
        assertThat(beats()).isZero();
    }

    @Test
    void anAnswerToABeatThatComesAfterTheEndChangesNothing() {
        Session session = started();
        bench.faults.next(StoreOperation.BEAT, Fault.SLOW_ANSWER);
        bench.time.advance(HEARTBEAT);
        bench.clock.moveWallClock(LEASE);
        bench.faults.resume();
        bench.time.settle();

        assertThat(told.events).endsWith("lost");
        assertThat(session.isValid()).isFalse();
        assertThat(bench.loop.timers()).isZero();
    }

    @Test
    void anAnswerToABeatOfALostSessionMeansNothing() {
        started();
        bench.faults.next(StoreOperation.BEAT, Fault.STALLS);
        bench.time.advance(HEARTBEAT);
        bench.clock.moveWallClock(LEASE);
        bench.run(keeper::check);
        want();
        bench.time.settle();
        Session next = current();
        bench.faults.resume();
        bench.time.settle();

        assertThat(current()).isSameAs(next);
        assertThat(told.events).filteredOn("lost"::equals).hasSize(1);
    }

    @Test
    void aFailureOfABeatOfALostSessionMeansNothing() {
        started();
        bench.faults.next(StoreOperation.BEAT, Fault.STALLS);
        bench.time.advance(HEARTBEAT);
        bench.clock.moveWallClock(LEASE);
        bench.run(keeper::check);
        needed = false;
        bench.time.advance(SETTINGS.callTimeout());

        assertThat(bench.loop.timers()).isZero();
    }

    // Closing

    @Test
    void closingEndsTheSessionAndTellsWhichItemToDelete() {
        Session session = started();

        assertThat(close()).isEqualTo(session.id());

        assertThat(session.isValid()).isFalse();
        assertThat(current()).isNull();
        assertThat(bench.loop.timers()).isZero();
        assertThat(told.events).doesNotContain("lost");
        bench.time.advance(LEASE);
        assertThat(creations()).isOne();
    }

    @Test
    void closingBeforeThereIsASessionLeavesNothingToDelete() {
        assertThat(close()).isNull();
    }

    @Test
    void aSessionThatIsCreatedAfterTheClosingIsDeleted() {
        want();
        close();
        needed = false;
        bench.time.advance(Duration.ofSeconds(1));

        assertThat(told.events).isEmpty();
        assertThat(bench.table.sessionIds()).isEmpty();
    }

    @Test
    void aCreationThatFailsAfterTheClosingIsNotTold() {
        bench.faults.next(StoreOperation.BEGIN_SESSION, Fault.THROTTLED);
        want();
        close();
        bench.time.advance(Duration.ofSeconds(1));

        assertThat(told.events).isEmpty();
        assertThat(bench.loop.timers()).isZero();
    }

    private SessionKeeper keeperWith(EngineSettings settings) {
        EngineContext context = bench.context(settings);
        return new SessionKeeper(context, new EndedSessions(context, dead::add), told);
    }

    private Session started() {
        want();
        bench.time.settle();
        Session session = current();
        assertThat(session).isNotNull();
        return session;
    }

    private void want() {
        bench.run(keeper::want);
    }

    private Session current() {
        return bench.get(keeper::current);
    }

    private SessionId close() {
        return bench.get(keeper::close);
    }

    private int creations() {
        return bench.store.count(StoreOperation.BEGIN_SESSION);
    }

    private int beats() {
        return bench.store.count(StoreOperation.BEAT);
    }

    private final class Told implements SessionKeeper.Dependants {

        private final List<String> events = new ArrayList<>();
        private final List<SessionEnd> ends = new ArrayList<>();

        @Override
        public boolean needSession() {
            return needed;
        }

        @Override
        public void sessionStarted(Session session) {
            events.add("started");
        }

        @Override
        public void sessionNotStarted(StoreFailure failure) {
            events.add("not started: " + failure.kind());
        }

        @Override
        public void sessionLost(Session session, SessionEnd why) {
            events.add("lost");
            ends.add(why);
        }

        @Override
        public void disputed(Set<Dispute> disputes) {
            events.add("disputed " + disputes);
        }

        @Override
        public void evicted(Set<Eviction> evictions) {
            events.add("evicted " + evictions);
        }

        @Override
        public void storeClockSays(Instant at, long sentNanos) {
            events.add("store's clock");
        }
    }
}
