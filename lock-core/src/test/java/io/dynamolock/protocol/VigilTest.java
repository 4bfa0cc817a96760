package io.dynamolock.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.protocol.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class VigilTest {

    private static final Duration LEASE = Duration.ofSeconds(80);
    private static final Duration DELAY = Duration.ofSeconds(3);
    private static final Duration SKEW = Duration.ofMinutes(5);
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration MOMENT = Duration.ofNanos(1);
    private static final SessionId ONE = SessionId.of(1);
    private static final SessionId TWO = SessionId.of(2);
    private static final SessionId THREE = SessionId.of(3);

    private final Vigil vigil = new Vigil(LEASE, DELAY, SKEW);

    @Test
    void theNextInLineWatchesTheHolderOnceItHasHeldForAnEightiethOfALease() {
        Duration second = Duration.ofSeconds(1);

        assertThat(toWatch(second.minus(MOMENT), Set.of(), Set.of(), ONE)).isEmpty();
        assertThat(toWatch(second, Set.of(), Set.of(), ONE)).containsExactly(ONE);
    }

    @Test
    void thoseFurtherBackWatchTheNearestOnceTheHeadHasNotMovedForAnEighthOfALease() {
        Duration eighth = Duration.ofSeconds(10);

        assertThat(toWatch(eighth.minus(MOMENT), Set.of(), Set.of(), ONE, TWO)).isEmpty();
        assertThat(toWatch(eighth, Set.of(), Set.of(), ONE, TWO, THREE)).containsExactly(THREE);
    }

    @Test
    void severalBlocksOfOneSessionAreOneToWatch() {
        assertThat(toWatch(Duration.ofSeconds(1), Set.of(), Set.of(), ONE, ONE)).containsExactly(ONE);
    }

    @Test
    void theDeadAreNotWatched() {
        assertThat(toWatch(LONG, Set.of(THREE), Set.of(), ONE, TWO, THREE)).containsExactly(TWO);
        assertThat(toWatch(Duration.ofSeconds(1), Set.of(TWO), Set.of(), ONE, TWO))
                .containsExactly(ONE);
        assertThat(toWatch(LONG, Set.of(ONE, TWO), Set.of(), ONE, TWO)).isEmpty();
        assertThat(toWatch(LONG, Set.of(), Set.of())).isEmpty();
    }

    @Test
    void ifTheNearestIsQuietAllWhoMayLiveAreWatched() {
        assertThat(toWatch(LONG, Set.of(TWO), Set.of(THREE), ONE, TWO, THREE)).containsExactly(ONE, THREE);
        assertThat(toWatch(LONG, Set.of(), Set.of(ONE), ONE, TWO)).containsExactly(TWO);
    }

    @Test
    void theFirstThatWaitsWatchesAllWhoHoldTheLockTogetherForTheyWatchNobody() {
        Duration second = Duration.ofSeconds(1);

        assertThat(toWatchBehind(2, second, Set.of(), ONE, TWO)).containsExactly(ONE, TWO);
        assertThat(toWatchBehind(2, second.minus(MOMENT), Set.of(), ONE, TWO)).isEmpty();
        assertThat(toWatchBehind(2, LONG, Set.of(), ONE, TWO, THREE)).containsExactly(THREE);
        assertThat(toWatchBehind(2, LONG, Set.of(THREE), ONE, TWO, THREE)).containsExactly(ONE, TWO, THREE);
        assertThat(toWatchBehind(2, LEASE, Set.of(), ONE, TWO, THREE)).containsExactly(ONE, TWO, THREE);
    }

    @Test
    void aDeadWriterInTheMiddleIsClearedAwayByTheFirstReaderThatWaitsBehindIt() {
        List<Entry> ahead = List.of(entry(ONE), entry(TWO));
        List<Entry> withAnother = List.of(entry(ONE), entry(TWO), entry(THREE));

        assertThat(vigil.toClearAmong(ahead, 1, MOMENT, entry -> entry.session().equals(TWO)))
                .isEqualTo(Map.of(1, entry(TWO)));
        assertThat(vigil.toClearAmong(
                        withAnother, 1, MOMENT, entry -> entry.session().equals(TWO)))
                .isEmpty();
        assertThat(vigil.toClearAmong(
                        withAnother, 1, LEASE, entry -> entry.session().equals(TWO)))
                .isEqualTo(Map.of(1, entry(TWO)));
        assertThat(vigil.toClear(ahead, LEASE, entry -> entry.session().equals(TWO)))
                .as("nobody else waits for one in the middle")
                .isEmpty();
    }

    private static Entry entry(SessionId session) {
        return new Entry(new BlockId(session, 1), 1);
    }

    private List<SessionId> toWatchBehind(int holders, Duration sameFirst, Set<SessionId> quiet, SessionId... ahead) {
        List<Entry> entries = Stream.of(ahead).map(VigilTest::entry).toList();
        return vigil.toWatch(entries, holders, sameFirst, Set.of()::contains, quiet::contains);
    }

    @Test
    void aSessionIsSilentAfterItsOwnLeaseAndTheDelay() {
        SessionItem session = session(Duration.ofSeconds(20), Instant.EPOCH);
        Duration whole = Duration.ofSeconds(23);

        assertThat(vigil.isSilent(session, whole.minus(MOMENT))).isFalse();
        assertThat(vigil.left(session, whole.minus(MOMENT))).isEqualTo(MOMENT);
        assertThat(vigil.isSilent(session, whole)).isTrue();
        assertThat(vigil.left(session, whole.plus(LONG))).isZero();
    }

    @Test
    void aSessionWhoseBeatLiesFarBackByTheWallClockIsLongSilent() {
        SessionItem session = session(Duration.ofSeconds(20), Instant.EPOCH);
        Instant end = Instant.EPOCH.plus(Duration.ofSeconds(23)).plus(SKEW);

        assertThat(vigil.isLongSilent(session, end)).isFalse();
        assertThat(vigil.isLongSilent(session, end.plusNanos(1))).isTrue();
    }

    @Test
    void aSessionThatOnlyKeepsALockIsLeftAloneUntilTheTimeThatItTells() {
        Instant until = Instant.EPOCH.plusSeconds(30);
        SessionItem keeping = keeping(Duration.ofSeconds(29), until);

        assertThat(vigil.isLongSilent(keeping, until)).isFalse();
        assertThat(vigil.isLongSilent(keeping, until.plusNanos(1))).isTrue();
        assertThat(vigil.isSilent(keeping, Duration.ofSeconds(32).minus(MOMENT)))
                .isFalse();
        assertThat(vigil.isSilent(keeping, Duration.ofSeconds(32))).isTrue();
    }

    @Test
    void withoutASkewNobodyIsSilentByTheWallClock() {
        Vigil withoutClocks = new Vigil(LEASE, DELAY, Duration.ZERO);

        assertThat(withoutClocks.isLongSilent(session(LEASE, Instant.EPOCH), Instant.MAX))
                .isFalse();
        assertThat(withoutClocks.isLongSilent(keeping(LEASE, Instant.EPOCH), Instant.MAX))
                .isFalse();
    }

    private List<SessionId> toWatch(Duration sameFirst, Set<SessionId> dead, Set<SessionId> quiet, SessionId... ahead) {
        List<Entry> entries = Stream.of(ahead)
                .map(session -> new Entry(new BlockId(session, 1), 1))
                .toList();
        return vigil.toWatch(entries, sameFirst, dead::contains, quiet::contains);
    }

    private static SessionItem session(Duration lease, Instant beatAt) {
        return new SessionItem(1, lease, "owner", beatAt, Set.of());
    }

    private static SessionItem keeping(Duration lease, Instant until) {
        return new SessionItem(0, lease, "owner", Instant.EPOCH, Set.of(), until);
    }
}
