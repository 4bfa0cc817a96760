package io.dynamolock.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FailureDetectionTest {

    private static final Duration LEASE = Duration.ofSeconds(16);
    private static final Duration LONG = Duration.ofSeconds(3);
    private static final FailureDetection DETECTION = new FailureDetection(LEASE, Duration.ofSeconds(2));
    private static final SessionId A = SessionId.of(1);
    private static final SessionId B = SessionId.of(2);
    private static final SessionId C = SessionId.of(3);

    @Test
    void nobodyWatchesAHoldThatIsStillShort() {
        assertThat(watched(queue(A, B), 1, LEASE.dividedBy(100), Set.of(), Set.of()))
                .isEmpty();
        assertThat(watched(queue(A), 1, LEASE.dividedBy(70), Set.of(), Set.of()))
                .containsExactly(A);
        assertThat(watched(queue(A, B), 1, LEASE.dividedBy(70), Set.of(), Set.of()))
                .isEmpty();
    }

    @Test
    void theNearestWaiterIsWatchedAndEverybodyIfItIsSilentOrDead() {
        assertThat(watched(queue(A, B, C), 1, LONG, Set.of(), Set.of())).containsExactly(C);
        assertThat(watched(queue(A, B, C), 1, LONG, Set.of(), Set.of(C))).containsExactly(A, B, C);
        assertThat(watched(queue(A, B, C), 1, LONG, Set.of(C), Set.of())).containsExactly(A, B);
    }

    @Test
    void theHoldersAreWatchedTooIfTheQueueStandsStillForALease() {
        assertThat(watched(queue(A, B, C), 1, LEASE, Set.of(), Set.of())).containsExactly(A, C);
        assertThat(watched(queue(A, B, C), 1, LEASE, Set.of(A), Set.of())).containsExactly(B, C);
    }

    @Test
    void theFirstWaiterWatchesAllHolders() {
        assertThat(watched(queue(A, B, C), 3, LONG, Set.of(), Set.of())).containsExactly(A, B, C);
    }

    @Test
    void nobodyWatchesAKeptEntry() {
        List<Entry> kept = List.of(new Entry.Kept(Mode.EXCLUSIVE, Instant.EPOCH));
        assertThat(DETECTION.toWatch(kept, 1, LEASE, id -> false, id -> false)).isEmpty();
    }

    @Test
    void theFirstLivingWaiterRemovesTheEntriesOfDeadSessions() {
        List<Entry> queue = queue(A, B, C);
        assertThat(DETECTION.toTakeOut(queue, 1, LONG, entry -> B.equals(entry.session()) || C.equals(entry.session())))
                .isEqualTo(Map.of(1, queue.get(1), 2, queue.get(2)));
        assertThat(DETECTION.toTakeOut(queue, 1, LONG, entry -> A.equals(entry.session())))
                .as("B sees to it")
                .isEmpty();
        assertThat(DETECTION.toTakeOut(queue, 1, LEASE, entry -> A.equals(entry.session())))
                .as("B does not")
                .isEqualTo(Map.of(0, queue.get(0)));
    }

    @Test
    void aSessionExpiresAfterALeaseAndTheLockDelayWithoutAHeartbeat() {
        assertThat(DETECTION.untilExpiry(session(Instant.EPOCH), Duration.ofSeconds(10)))
                .isEqualTo(Duration.ofSeconds(8));
        assertThat(DETECTION.untilExpiry(session(Instant.EPOCH), Duration.ofSeconds(19)))
                .isZero();
    }

    @Test
    void theLockDelayIsATwelfthOfTheSessionsOwnLeaseAtLeast() {
        Duration lease = Duration.ofSeconds(36);
        SessionItem other = new SessionItem(3, lease, "a", Instant.EPOCH, Set.of());

        assertThat(DETECTION.untilExpiry(other, lease)).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void aSessionExpiresAtOnceIfBothClocksSayThatItsHeartbeatIsTooOld() {
        Instant limit = Instant.EPOCH.plus(LEASE).plusSeconds(2 + 5);
        Instant later = limit.plusMillis(1);
        Instant farAhead = limit.plus(Duration.ofDays(365));

        assertThat(DETECTION.isLongSilent(session(Instant.EPOCH), later, later)).isTrue();
        assertThat(DETECTION.isLongSilent(session(Instant.EPOCH), limit, farAhead))
                .isFalse();
        assertThat(DETECTION.isLongSilent(session(Instant.EPOCH), farAhead, limit))
                .isFalse();
        assertThat(DETECTION.isLongSilent(session(Instant.EPOCH), null, farAhead))
                .as("an answer without a time")
                .isFalse();
        assertThat(DETECTION.isLongSilent(session(null), farAhead, farAhead))
                .as("a heartbeat without a time")
                .isFalse();
    }

    private static SessionItem session(@Nullable Instant heartbeatAt) {
        return new SessionItem(3, LEASE, "a", heartbeatAt, Set.of());
    }

    private static List<Entry> queue(SessionId... sessions) {
        return Stream.of(sessions)
                .<Entry>map(id -> new Entry.OfSession(id, 1, Mode.SHARED, 1))
                .toList();
    }

    private static List<SessionId> watched(
            List<Entry> ahead, int holders, Duration same, Set<SessionId> dead, Set<SessionId> quiet) {
        return DETECTION.toWatch(ahead, holders, same, dead::contains, quiet::contains);
    }
}
