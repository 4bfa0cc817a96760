package io.dynamolock.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.protocol.Answer.Applied;
import io.dynamolock.internal.protocol.Answer.Refused;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.protocol.SessionStep.Beat;
import io.dynamolock.protocol.SessionStep.Begin;
import io.dynamolock.protocol.SessionStep.Bury;
import io.dynamolock.protocol.SessionStep.End;
import io.dynamolock.protocol.SessionStep.Evict;
import io.dynamolock.protocol.SessionStep.Raise;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SessionStepTest {

    private static final Duration LEASE = Duration.ofSeconds(20);
    private static final Instant THEN = Instant.EPOCH;
    private static final Instant NOW = THEN.plusSeconds(5);
    private static final Optional<SessionItem> GONE = Optional.empty();

    private final Dispute one = dispute(1);
    private final Dispute other = dispute(2);

    @Test
    void aSessionBeginsOnceWithBeatZero() {
        assertThat(new Begin(LEASE, "owner", THEN).on(GONE)).isEqualTo(new Applied<>(session(0, THEN)));
        assertThat(new Begin(LEASE, "owner", NOW).on(session(3, THEN))).isEqualTo(new Refused<>(session(3, THEN)));
    }

    @Test
    void aSessionThatOnlyKeepsALockSaysUntilWhenWhateverHappensToIt() {
        SessionItem keeping = new SessionItem(0, LEASE, "owner", THEN, Set.of(), NOW);

        assertThat(new Begin(LEASE, "owner", THEN, NOW).on(GONE)).isEqualTo(new Applied<>(Optional.of(keeping)));
        assertThat(new Raise(one).on(Optional.of(keeping)))
                .isEqualTo(new Applied<>(Optional.of(new SessionItem(0, LEASE, "owner", THEN, Set.of(one), NOW))));
        assertThat(new Bury(0).on(Optional.of(keeping))).isEqualTo(new Applied<>(GONE));
    }

    @Test
    void aBeatCountsOnAndTellsTheTime() {
        assertThat(new Beat(4, Set.of(), NOW).on(session(3, THEN))).isEqualTo(new Applied<>(session(4, NOW)));
        assertThat(new Beat(9, Set.of(), NOW).on(session(3, THEN))).isEqualTo(new Applied<>(session(9, NOW)));
    }

    @Test
    void aLateOrRepeatedBeatChangesNothing() {
        assertThat(new Beat(3, Set.of(), NOW).on(session(3, THEN))).isEqualTo(new Refused<>(session(3, THEN)));
        assertThat(new Beat(2, Set.of(one), NOW).on(session(3, THEN, one)))
                .isEqualTo(new Refused<>(session(3, THEN, one)));
    }

    @Test
    void aBeatDoesNotBringTheDeadBack() {
        assertThat(new Beat(4, Set.of(), NOW).on(GONE)).isEqualTo(new Refused<>(GONE));
    }

    @Test
    void aBeatTakesAwayWhatIsSettledAndNothingElse() {
        assertThat(new Beat(4, Set.of(one), NOW).on(session(3, THEN, one, other)))
                .isEqualTo(new Applied<>(session(4, NOW, other)));
        assertThat(new Beat(4, Set.of(one), NOW).on(session(3, THEN))).isEqualTo(new Applied<>(session(4, NOW)));
    }

    @Test
    void aSessionIsBuriedAtTheBeatItWasSeenAtOnly() {
        assertThat(new Bury(3).on(session(3, THEN))).isEqualTo(new Applied<>(GONE));
        assertThat(new Bury(3).on(session(4, THEN))).isEqualTo(new Refused<>(session(4, THEN)));
        assertThat(new Bury(3).on(session(2, THEN))).isEqualTo(new Refused<>(session(2, THEN)));
        assertThat(new Bury(3).on(GONE)).isEqualTo(new Applied<>(GONE));
    }

    @Test
    void aSessionEndsAtAnyBeat() {
        assertThat(new End().on(session(3, THEN))).isEqualTo(new Applied<>(GONE));
        assertThat(new End().on(GONE)).isEqualTo(new Applied<>(GONE));
    }

    @Test
    void aDisputeIsRaisedOnceWithASessionThatExists() {
        assertThat(new Raise(other).on(session(3, THEN, one))).isEqualTo(new Applied<>(session(3, THEN, one, other)));
        assertThat(new Raise(one).on(session(3, THEN, one))).isEqualTo(new Applied<>(session(3, THEN, one)));
        assertThat(new Raise(one).on(GONE)).isEqualTo(new Refused<>(GONE));
    }

    @Test
    void aSessionCarriesABoundedNumberOfDisputes() {
        Set<Dispute> most = IntStream.rangeClosed(1, Raise.MOST)
                .mapToObj(SessionStepTest::dispute)
                .collect(Collectors.toSet());
        Optional<SessionItem> full = Optional.of(new SessionItem(3, LEASE, "owner", THEN, most));

        assertThat(new Raise(dispute(Raise.MOST + 1)).on(full)).isEqualTo(new Refused<>(full));
        assertThat(new Raise(dispute(Raise.MOST)).on(full)).isEqualTo(new Applied<>(full));
    }

    @Test
    void anEvictionIsToldOnceToASessionThatExists() {
        Eviction eviction = eviction(1);
        Optional<SessionItem> told =
                Optional.of(session(3, THEN, one).orElseThrow().withEvictions(Set.of(eviction)));

        assertThat(new Evict(eviction).on(session(3, THEN, one))).isEqualTo(new Applied<>(told));
        assertThat(new Evict(eviction).on(told)).isEqualTo(new Applied<>(told));
        assertThat(new Evict(eviction).on(GONE)).isEqualTo(new Refused<>(GONE));
    }

    @Test
    void anEvictionIsNotToldToASessionThatOnlyKeepsALock() {
        Optional<SessionItem> keeping = Optional.of(new SessionItem(0, LEASE, "owner", THEN, Set.of(), NOW));

        assertThat(new Evict(eviction(1)).on(keeping)).isEqualTo(new Refused<>(keeping));
    }

    @Test
    void aSessionCarriesABoundedNumberOfEvictions() {
        Optional<SessionItem> full = session(3, THEN, one);
        for (int i = 1; i <= Evict.MOST; i++) {
            full = new Evict(eviction(i)).on(full).item();
        }

        assertThat(new Evict(eviction(Evict.MOST + 1)).on(full)).isEqualTo(new Refused<>(full));
        assertThat(new Evict(eviction(Evict.MOST)).on(full)).isEqualTo(new Applied<>(full));
    }

    @Test
    void aBeatTakesAwayTheEvictionsThatWereObeyedAndNoOthers() {
        Optional<SessionItem> told = new Evict(eviction(2))
                .on(new Evict(eviction(1)).on(session(3, THEN, one)).item())
                .item();

        assertThat(new Beat(4, Set.of(), Set.of(eviction(1)), NOW).on(told).item())
                .hasValueSatisfying(item -> {
                    assertThat(item.evictions()).containsExactly(eviction(2));
                    assertThat(item.disputes()).containsExactly(one);
                });
        assertThat(new Beat(3, Set.of(), Set.of(eviction(1)), NOW).on(told)).isEqualTo(new Refused<>(told));
    }

    private static Eviction eviction(long nonce) {
        return Eviction.of(new LockKey("key", "default"), new Entry(new BlockId(SessionId.of(1), 1), 2), nonce);
    }

    private static Optional<SessionItem> session(long beat, Instant at, Dispute... disputes) {
        return Optional.of(new SessionItem(beat, LEASE, "owner", at, Set.of(disputes)));
    }

    private static Dispute dispute(long number) {
        return new Dispute(new LockKey("key", "default"), new BlockId(SessionId.of(1), number));
    }
}
