package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.Notice;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.protocol.SessionItem;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.time.Deadline;
import io.dynamolock.internal.time.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
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
    private static final Duration VALID_FOR = LEASE.minus(LEASE.dividedBy(12));
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(4);
    private static final Duration STEP = Duration.ofSeconds(1);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Notice NOTICE = new Notice(Notice.Wish.EVICT, new LockKey("key", "default"), 3);

    private final VirtualTime clock = VirtualTime.notAtZero();

    /** The store's time in the answer to the heartbeat that gave the first session its time. */
    private Instant answeredAt = Instant.EPOCH;

    private OwnSession session = sessionWith(LEASE, new SplittableRandom(7));

    private OwnSession sessionWith(Duration lease, RandomGenerator random) {
        return new OwnSession(settings(lease), clock, random);
    }

    private static EngineSettings settings(Duration lease) {
        return TestSettings.of(lease, CALL_TIMEOUT, 32);
    }

    // Beginning

    @Test
    void oneSessionIsBegunHoweverManyCallersWantOne() {
        assertThat(session.wakeAt()).isEqualTo(Deadline.NEVER);

        SentBegin begin = sent(session.wanted());

        assertThat(begin.edit().lease()).isEqualTo(LEASE);
        assertThat(begin.edit().owner()).isEqualTo("process");
        assertThat(session.wanted()).isEmpty();
        assertThat(session.beginAnswered(begin, true, null))
                .containsExactly(new SessionEffect.Began(begin.candidate()));
        assertThat(session.validity()).isSameAs(begin.candidate());
        assertThat(session.wanted()).isEmpty();
    }

    @Test
    void aBeginningThatFailsIsRepeatedUnderANewIdAfterGrowingPauses() {
        SentBegin begin = sent(session.wanted());
        Duration pause = FIRST_PAUSE;
        for (int i = 0; i < 7; i++) {
            assertThat(session.beginFailed(begin, failure(StoreFailure.Kind.THROTTLED)))
                    .as("no effect, nothing to delete")
                    .hasOnlyElementsOfType(SessionEffect.NotBegun.class);
            assertThat(session.wanted()).isEmpty();
            assertThat(untilWake()).isBetween(pause.multipliedBy(3).dividedBy(4), pause);
            SessionId before = begin.candidate().id();
            begin = sent(wake());
            assertThat(begin.candidate().id()).isNotEqualTo(before);
            pause = Durations.shorter(pause.multipliedBy(2), Duration.ofSeconds(1));
        }
        session.beginAnswered(begin, true, clock.now());
        clock.advance(VALID_FOR);
        begin = sent(session.wanted());
        session.beginFailed(begin, failure(StoreFailure.Kind.THROTTLED));
        session.wanted();

        assertThat(untilWake()).as("of the next session").isLessThanOrEqualTo(FIRST_PAUSE);
    }

    @Test
    void afterAFailureABeginningThatIsSilentForASecondIsFollowedByAnotherAndTheFirstAnswerCounts() {
        SentBegin first = sent(session.wanted());
        assertThat(session.wakeAt()).as("a first call may be slow").isEqualTo(Deadline.NEVER);
        session.beginFailed(first, failure(StoreFailure.Kind.UNAVAILABLE));
        session.wanted();
        SentBegin silent = sent(wake());
        assertThat(untilWake()).isBetween(Duration.ofMillis(750), Duration.ofSeconds(1));
        assertThat(wake()).hasOnlyElementsOfType(SessionEffect.NotBegun.class);
        SentBegin next = sent(session.wanted());

        assertThat(session.beginAnswered(silent, true, clock.now()))
                .contains(new SessionEffect.Began(silent.candidate()));
        assertThat(session.beginAnswered(next, true, clock.now()))
                .containsExactly(new SessionEffect.Delete(next.candidate().id(), true));
        assertThat(session.validity()).isSameAs(silent.candidate());
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
        return sent(sessionWith(LEASE, random).wanted()).candidate().id();
    }

    // Clocks

    @Test
    void theFirstSessionOfAProcessGetsItsTimeWithAHeartbeatAtOnce() {
        SentBegin begin = sent(session.wanted());
        assertThat(begin.edit().at())
                .as("nothing is known of the store's clock")
                .isNull();
        Instant told = clock.now();
        session.beginAnswered(begin, true, told);

        assertThat(untilWake()).as("at once").isZero();
        assertThat(beatSent().edit().at()).isEqualTo(told.plus(STEP));
        clock.advance(LEASE);
        assertThat(sent(session.wanted()).edit().at())
                .as("of the next session")
                .isEqualTo(told.plus(STEP).plus(LEASE));
    }

    @Test
    void aStoreThatTellsNoTimeGetsNoneAndNoHeartbeatAtOnce() {
        session.beginAnswered(sent(session.wanted()), true, null);

        assertThat(untilWake()).isEqualTo(HEARTBEAT);
        assertThat(beatSent().edit().at()).isNull();
    }

    @ParameterizedTest
    @CsvSource({"-31536000, 1", "-60, 1", "0, 1", "60, 60", "31536000, 31536000"})
    void aHeartbeatCarriesTheLaterTimeOfTheStoresClockAndTheWallClock(long wallOff, long written) {
        Instant told = clock.now();
        clock.moveWallClock(Duration.ofSeconds(wallOff));
        session.beginAnswered(sent(session.wanted()), true, told);

        assertThat(beatSent().edit().at()).isEqualTo(told.plusSeconds(written));
        assertThat(session.validity().isValid()).as("however wrong the clock").isTrue();
    }

    @Test
    void aHeartbeatWhoseTimeWasTooEarlyDoesNotCountAndIsRepeatedAtOnce() {
        Validity validity = begun();
        SentHeartbeat tooEarly = beatSent();
        Duration left = validity.remaining();
        Instant storeTime =
                Objects.requireNonNull(tooEarly.edit().at()).plus(STEP).plusMillis(1);

        SentHeartbeat next =
                ((SessionEffect.SendHeartbeat) answer(tooEarly, storeTime).get(0)).call();

        assertThat(validity.remaining()).isEqualTo(left);
        assertThat(next.edit().at()).isEqualTo(storeTime.plus(STEP));
        answer(next, storeTime);
        assertThat(validity.remaining()).isGreaterThan(left);
    }

    @Test
    void aHeartbeatThatNoTimeInItsAnswerConfirmsIsFollowedByOneWithoutATime() {
        Validity validity = begun();
        SentHeartbeat unconfirmed = beatSent();
        Duration left = validity.remaining();

        SentHeartbeat next = ((SessionEffect.SendHeartbeat)
                        answer(unconfirmed, (Instant) null).get(0))
                .call();

        assertThat(validity.remaining()).isEqualTo(left);
        assertThat(next.edit().at())
                .as("so that no time of an earlier heartbeat stays")
                .isNull();
        assertThat(answer(next, (Instant) null)).isEmpty();
        assertThat(validity.remaining()).isGreaterThan(left);
    }

    @Test
    void aBeginningWhoseTimeWasTooEarlyIsDeletedAndFollowedByAnother() {
        begun();
        clock.advance(LEASE);
        SentBegin begin = sent(session.wanted());
        Instant storeTime = Objects.requireNonNull(begin.edit().at()).plus(STEP).plusMillis(1);

        assertThat(session.beginAnswered(begin, true, storeTime))
                .containsExactly(new SessionEffect.Delete(begin.candidate().id(), true));
        assertThat(sent(wake()).edit().at()).isAfter(storeTime);
    }

    @Test
    void twoAnswersInARowThatShowTheStoresClockPastTheEndOfTheSessionEndIt() {
        SessionId id = begun().id();
        Instant past = answeredAt.plus(STEP).plus(VALID_FOR).plusMillis(1);

        SentHeartbeat question =
                ((SessionEffect.SendHeartbeat) session.storeTold(past).get(0)).call();
        assertThat(session.storeTold(past))
                .as("while the heartbeat is under way")
                .isEmpty();
        session.heartbeatFailed(question);
        assertThat(session.storeTold(past)).containsExactly(new SessionEffect.Over(id, SessionEnd.STORE_CLOCK));
    }

    @Test
    void anAnswerWithAnEarlierTimeClearsTheSuspicionOfTheStoresClock() {
        begun();
        Instant past = answeredAt.plus(STEP).plus(VALID_FOR).plusMillis(1);

        session.heartbeatFailed(
                ((SessionEffect.SendHeartbeat) session.storeTold(past).get(0)).call());
        assertThat(session.storeTold(past.minusMillis(1)))
                .as("the first was wrong")
                .isEmpty();

        assertThat(session.storeTold(past)).hasOnlyElementsOfType(SessionEffect.SendHeartbeat.class);
    }

    @Test
    void aWallClockThatIsFarAheadDoesNotHideWhatTheStoresClockSays() {
        clock.moveWallClock(Duration.ofDays(365));
        SentBegin begin = sent(session.wanted());
        Instant told = clock.now().minus(Duration.ofDays(365));
        session.beginAnswered(begin, true, told);
        SentHeartbeat first = beatSent();
        answer(first, told);

        Instant past = told.plus(STEP).plus(VALID_FOR).plusMillis(1);
        session.heartbeatFailed(
                ((SessionEffect.SendHeartbeat) session.storeTold(past).get(0)).call());
        assertThat(session.storeTold(past))
                .containsExactly(new SessionEffect.Over(begin.candidate().id(), SessionEnd.STORE_CLOCK));
    }

    @Test
    void aHeartbeatThatCountsClearsTheSuspicionOfTheStoresClock() {
        Validity validity = begun();
        Instant past = answeredAt.plus(STEP).plus(VALID_FOR).plusMillis(1);
        SentHeartbeat question =
                ((SessionEffect.SendHeartbeat) session.storeTold(past).get(0)).call();

        assertThat(answer(question)).isEmpty();
        session.storeTold(past);

        assertThat(validity.isValid()).isTrue();
    }

    @Test
    void aWallClockThatIsMovedByLessThanALeaseNeverEndsTheSession() {
        Validity validity = begun();
        for (Duration step : List.of(Duration.ofHours(5), Duration.ofSeconds(-6))) {
            clock.moveWallClock(step.negated());
            beat();
        }
        assertThat(validity.isValid()).isTrue();
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
        answer(first, first.sent().wall());
        assertThat(untilWake()).isEqualTo(Duration.ofSeconds(2));

        SentHeartbeat second = beatSent();
        clock.advance(HEARTBEAT.plusSeconds(1));
        answer(second, second.sent().wall());

        assertThat(untilWake()).as("at once").isNegative();
        assertThat(first.edit().number()).isEqualTo(2);
        assertThat(second.edit().number()).isEqualTo(3);
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
        assertThat(settings(LEASE).heartbeatTimeout()).isEqualTo(CALL_TIMEOUT);
        assertThat(settings(Duration.ofSeconds(8)).heartbeatTimeout()).isEqualTo(Duration.ofSeconds(2));
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

    @Test
    void anEvictionIsRemovedAtOnceButNotAgainAndAgainAndAQuestionIsNot() {
        begun();
        String question = new Notice(Notice.Wish.TAKE_OUT_IF_UNWANTED, NOTICE.key(), 3).text();

        answer(beatSent(), question);
        assertThat(untilWake()).isPositive();
        answer(beatSent(), NOTICE.text());
        assertThat(untilWake()).isZero();
        answer(beatSent(), NOTICE.text());
        assertThat(untilWake()).as("though the notice was not removed").isPositive();
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

    /** Begins a session. If it is the first, the heartbeat is answered that gives it its time. */
    private Validity begun() {
        SentBegin begin = sent(session.wanted());
        session.beginAnswered(begin, true, clock.now());
        if (begin.edit().at() == null) {
            SentHeartbeat first = beatSent();
            answeredAt = clock.now();
            answer(first);
        }
        return begin.candidate();
    }

    private static SentBegin sent(List<SessionEffect> effects) {
        return first(effects, SessionEffect.SendBegin.class).call();
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
        return new SessionItem(heartbeat, LEASE, "process", null, Set.of(notices));
    }
}
