package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.Notice;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.protocol.SessionItem;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.time.ClockReading;
import io.dynamolock.internal.time.Deadline;
import io.dynamolock.internal.time.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OwnSessionTest {

    private static final Duration LEASE = Duration.ofSeconds(20);
    private static final Duration HEARTBEAT = Duration.ofSeconds(5);
    private static final Duration VALID_FOR = Duration.ofSeconds(19);
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(4);
    private static final Duration HALF_OF_THE_SKEW = Duration.ofSeconds(150);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Notice NOTICE = new Notice(Notice.Wish.EVICT, new LockKey("key", "default"), 3);

    private final VirtualTime clock = VirtualTime.notAtZero();
    private OwnSession session = sessionWith(LEASE, HALF_OF_THE_SKEW.multipliedBy(2), new SplittableRandom(7));

    private OwnSession sessionWith(Duration lease, Duration skew, RandomGenerator random) {
        return new OwnSession(settings(lease, skew), clock, random, new ClockCheck(skew, clock));
    }

    private static EngineSettings settings(Duration lease, Duration skew) {
        return TestSettings.of(lease, skew, CALL_TIMEOUT, 32);
    }

    // Beginning

    @Test
    void oneSessionIsBegunHoweverManyCallersWantOne() {
        assertThat(session.wakeAt()).isEqualTo(Deadline.NEVER);

        SentBegin begin = sent(session.wanted());

        assertThat(begin.edit().lease()).isEqualTo(LEASE);
        assertThat(begin.edit().owner()).isEqualTo("process");
        assertThat(session.wanted()).isEmpty();
        assertThat(session.beginAnswered(begin, true, clock.now()))
                .containsExactly(new SessionEffect.Began(begin.candidate()));
        assertThat(session.validity()).isSameAs(begin.candidate());
        assertThat(session.wanted()).isEmpty();
    }

    @Test
    void aBeginningThatFailsIsRepeatedUnderANewIdAfterGrowingPauses() {
        SentBegin begin = sent(session.wanted());
        Duration pause = FIRST_PAUSE;
        for (int i = 0; i < 5; i++) {
            assertThat(session.beginFailed(begin, failure(StoreFailure.Kind.THROTTLED)))
                    .as("no effect, nothing to delete")
                    .hasOnlyElementsOfType(SessionEffect.NotBegun.class);
            assertThat(session.wanted()).isEmpty();
            assertThat(untilWake()).isBetween(pause.multipliedBy(3).dividedBy(4), pause);
            SessionId before = begin.candidate().id();
            begin = sent(wake());
            assertThat(begin.candidate().id()).isNotEqualTo(before);
            pause = Durations.shorter(pause.multipliedBy(2), Duration.ofMillis(250));
        }
        session.beginAnswered(begin, true, clock.now());
        clock.advance(VALID_FOR);
        begin = sent(session.wanted());
        session.beginFailed(begin, failure(StoreFailure.Kind.THROTTLED));
        session.wanted();

        assertThat(untilWake()).as("of the next session").isLessThanOrEqualTo(FIRST_PAUSE);
    }

    @Test
    void callersThatWantedASessionWhileItBeganCauseNoFurtherSession() {
        SentBegin begin = sent(session.wanted());
        session.wanted();
        session.beginAnswered(begin, true, clock.now());

        clock.advance(VALID_FOR);

        assertThat(wake()).doesNotHaveAnyElementsOfTypes(SessionEffect.SendBegin.class);
    }

    @Test
    void aSessionThatMayHaveBegunThoughTheCallFailedIsDeleted() {
        SentBegin begin = sent(session.wanted());

        assertThat(session.beginFailed(begin, failure(StoreFailure.Kind.UNAVAILABLE)))
                .contains(new SessionEffect.Delete(begin.candidate().id(), false));
    }

    @Test
    void anIdThatExistsAlreadyIsLeftAloneAndAnotherIsTaken() {
        SentBegin begin = sent(session.wanted());

        assertThat(session.beginAnswered(begin, false, clock.now())).isEmpty();

        assertThat(sent(wake()).candidate().id()).isNotEqualTo(begin.candidate().id());
    }

    @Test
    void allSixtyBitsOfAnIdAreRandom() {
        assertThat(idFrom(() -> 0L)).isEqualTo(new SessionId("0000000000"));
        assertThat(idFrom(() -> -1L)).isEqualTo(new SessionId("__________"));
    }

    private SessionId idFrom(RandomGenerator random) {
        return sent(sessionWith(LEASE, Duration.ZERO, random).wanted())
                .candidate()
                .id();
    }

    // Clocks

    @ParameterizedTest
    @CsvSource({"150, true", "-150, true", "151, false", "-151, false", "18000, false"})
    void aProcessWhoseClockIsOffByMoreThanHalfOfTheSkewHoldsNothing(long secondsOff, boolean holds) {
        SentBegin begin = sent(session.wanted());

        List<SessionEffect> effects =
                session.beginAnswered(begin, true, clock.now().plusSeconds(secondsOff));

        if (holds) {
            assertThat(effects).containsExactly(new SessionEffect.Began(begin.candidate()));
        } else {
            assertThat(effects)
                    .contains(new SessionEffect.Delete(begin.candidate().id(), true));
            assertThat(failureOf(effects).kind()).isEqualTo(StoreFailure.Kind.WRONG_CLOCK);
            assertThat(failureOf(effects)).hasMessageContainingAll("clock of this machine", "Set the clock");
        }
    }

    /**
     * The wall clock may gain on the monotonic clock again and again, as on machines whose monotonic clock stands still
     * while they are suspended. Only a step back ends the session.
     */
    @Test
    void aWallClockSetBackByMoreThanHalfOfTheSkewEndsTheSession() {
        begun();
        for (int i = 0; i < 30; i++) {
            clock.moveWallClock(Duration.ofSeconds(10));
            answer(beatSent(), (Instant) null);
        }
        clock.moveWallClock(HALF_OF_THE_SKEW.negated());
        answer(beatSent(), (Instant) null);
        SessionId id = session.validity().id();

        clock.moveWallClock(Duration.ofSeconds(-1));
        assertThat(wake()).containsExactly(new SessionEffect.Over(id, SessionEnd.CLOCK_BACK));
    }

    @Test
    void aMachineThatIsSuspendedDuringACallIsNotTakenForOneWithAWrongClock() {
        ClockReading sending = ClockReading.of(clock);
        clock.moveWallClock(Duration.ofSeconds(6));

        assertThat(new ClockCheck(Duration.ofSeconds(10), clock).compare(sending, sending.wall()))
                .isNull();
    }

    /** Compared with the store's clock, the wall clock is right: the monotonic clock runs too fast. */
    @Test
    void aMonotonicClockThatGainsALittleEachDayNeverEndsTheSession() {
        begun();
        for (int i = 0; i < 200; i++) {
            clock.moveWallClock(Duration.ofSeconds(-1));
            beat();
        }
        assertThat(session.validity().isValid()).isTrue();
    }

    /** Neither clock of the machine jumps against the other, so that only the time of the store shows the error. */
    @ParameterizedTest
    @CsvSource({"154, true", "-150, true", "155, false", "-151, false"})
    void aClockThatDriftsFromTheStoresEndsTheSessionWithTheNextHeartbeat(long secondsOff, boolean goesOn) {
        SessionId id = begun().id();
        SentHeartbeat heartbeat = beatSent();
        Instant storeTime = clock.now().plusSeconds(secondsOff);
        clock.advance(Duration.ofSeconds(4));

        List<SessionEffect> effects = session.heartbeatAnswered(heartbeat, Optional.of(item(1)), storeTime);

        if (goesOn) {
            assertThat(effects).isEmpty();
        } else {
            assertThat(effects).containsExactly(new SessionEffect.Over(id, SessionEnd.CLOCK_WRONG));
        }
    }

    // Heartbeats

    @Test
    void theHeartbeatIntervalCountsFromTheSendingHoweverLateTheAnswer() {
        begun();
        assertThat(untilWake()).isEqualTo(HEARTBEAT);
        SentHeartbeat first = beatSent();
        assertThat(untilWake())
                .as("the end of the session, while a heartbeat is under way")
                .isGreaterThan(HEARTBEAT);
        clock.advance(Duration.ofSeconds(3));
        answer(first);
        assertThat(untilWake()).isEqualTo(Duration.ofSeconds(2));

        SentHeartbeat second = beatSent();
        clock.advance(HEARTBEAT.plusSeconds(1));
        answer(second);

        assertThat(untilWake()).as("at once").isNegative();
        assertThat(first.edit().number()).isEqualTo(1);
        assertThat(second.edit().number()).isEqualTo(2);
    }

    @Test
    void aHeartbeatThatFailsIsRepeatedAfterAQuarterOfTheInterval() {
        begun();
        SentHeartbeat heartbeat = beatSent();

        assertThat(session.heartbeatFailed(heartbeat)).isEmpty();

        Duration quarter = HEARTBEAT.dividedBy(4);
        assertThat(untilWake()).isBetween(quarter.multipliedBy(3).dividedBy(4), quarter);
    }

    @Test
    void aHeartbeatTimesOutWithinTheCallTimeoutAndAQuarterOfTheLease() {
        assertThat(settings(LEASE, Duration.ZERO).heartbeatTimeout()).isEqualTo(CALL_TIMEOUT);
        assertThat(settings(Duration.ofSeconds(8), Duration.ZERO).heartbeatTimeout())
                .isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void noticesAreHeardOnceAndRemovedByTheNextHeartbeatEvenUnreadableOnes() {
        begun();

        assertThat(answer(beatSent(), NOTICE.text(), "odd", ""))
                .containsExactly(new SessionEffect.NoticesFound(List.of(NOTICE)));
        SentHeartbeat next = beatSent();
        assertThat(next.edit().heard()).containsExactlyInAnyOrder(NOTICE.text(), "odd", "");
        assertThat(answer(next)).as("of an answer without notices").isEmpty();
        assertThat(beatSent().edit().heard()).isEmpty();
    }

    // The end

    @Test
    void aSessionWhoseItemIsGoneIsOverAndNothingIsLeftToDelete() {
        Validity validity = begun();
        SentHeartbeat heartbeat = beatSent();

        assertThat(session.heartbeatAnswered(heartbeat, Optional.empty(), null))
                .containsExactly(new SessionEffect.Over(validity.id(), SessionEnd.EXPIRED));
        assertThat(validity.isValid()).isFalse();
        assertThat(session.wakeAt()).isEqualTo(Deadline.NEVER);
    }

    @Test
    void answersThatCallsOfAnEndedSessionGetMeanNothing() {
        Validity former = begun();
        SentHeartbeat heartbeat = beatSent();
        clock.moveWallClock(LEASE);

        assertThat(answer(heartbeat)).containsExactly(new SessionEffect.Over(former.id(), SessionEnd.CLOCK_AHEAD));
        Validity next = begun();
        assertThat(session.heartbeatAnswered(heartbeat, Optional.empty(), null)).isEmpty();
        assertThat(session.heartbeatFailed(heartbeat)).isEmpty();

        assertThat(former.isValid()).isFalse();
        assertThat(session.validity()).isSameAs(next);
        assertThat(untilWake()).isEqualTo(HEARTBEAT);
    }

    private Validity begun() {
        SentBegin begin = sent(session.wanted());
        session.beginAnswered(begin, true, clock.now());
        return begin.candidate();
    }

    private static SentBegin sent(List<SessionEffect> effects) {
        return first(effects, SessionEffect.SendBegin.class).call();
    }

    private static StoreFailure failureOf(List<SessionEffect> effects) {
        return first(effects, SessionEffect.NotBegun.class).failure();
    }

    private static <E extends SessionEffect> E first(List<SessionEffect> effects, Class<E> type) {
        return effects.stream()
                .filter(type::isInstance)
                .map(type::cast)
                .findFirst()
                .orElseThrow();
    }

    private static StoreFailure failure(StoreFailure.Kind kind) {
        return new StoreFailure(kind, "test", null);
    }

    private Duration untilWake() {
        return session.wakeAt().remaining(clock.moment());
    }

    private List<SessionEffect> wake() {
        clock.advance(untilWake());
        return session.woke();
    }

    private SentHeartbeat beatSent() {
        return ((SessionEffect.SendHeartbeat) wake().get(0)).call();
    }

    private void beat() {
        answer(beatSent());
    }

    private List<SessionEffect> answer(SentHeartbeat heartbeat, String... notices) {
        return answer(heartbeat, clock.now(), notices);
    }

    private List<SessionEffect> answer(SentHeartbeat heartbeat, @Nullable Instant storeTime, String... notices) {
        SessionItem shown = item(heartbeat.edit().number(), notices);
        return session.heartbeatAnswered(heartbeat, Optional.of(shown), storeTime);
    }

    private SessionItem item(long heartbeat, String... notices) {
        return new SessionItem(heartbeat, LEASE, "process", clock.now(), Set.of(notices));
    }
}
