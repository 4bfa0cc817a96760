package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionEdit;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.protocol.SessionItem;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.internal.time.Deadline;
import io.dynamolock.internal.time.Durations;
import io.dynamolock.internal.time.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PeersTest {

    private static final LockKey KEY = new LockKey("key", "default");
    private static final SessionId PEER = SessionId.of(1);
    private static final SessionId ANOTHER = SessionId.of(2);
    private static final Duration LEASE = Duration.ofSeconds(20);
    private static final Duration HEARTBEAT = Duration.ofSeconds(5);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration EARLY = Duration.ofMillis(250);
    private static final Duration NANO = Duration.ofNanos(1);

    private final VirtualTime clock = VirtualTime.notAtZero();
    private final InMemoryLockStore table = new InMemoryLockStore();
    private final List<PeerEffect> heldUp = new ArrayList<>();
    private Peers peers = peers();
    private boolean isHeldUp;
    private long beats;
    private int reads;
    private int deaths;
    private final List<LockKey> alive = new ArrayList<>();

    // Expiry

    @Test
    void aPeerIsExpiredOnceItsHeartbeatHasNotChangedForItsLeaseAndTheDelay() {
        for (long millis : new long[] {20_000, 20_500, 10_300}) {
            create(PEER, Duration.ofMillis(millis));
            watch(PEER);

            pass(silence(Duration.ofMillis(millis)).minus(NANO));
            assertThat(isThere(PEER)).isTrue();
            assertThat(peers.isDead(PEER)).isFalse();
            pass(NANO);

            assertThat(isThere(PEER)).isFalse();
            assertThat(peers.isDead(PEER)).isTrue();
            peers = peers();
        }
        assertThat(deaths).isEqualTo(3);
    }

    @Test
    void theLeaseCountsFromTheArrivalOfTheFirstAnswer() {
        create(PEER, LEASE);
        isHeldUp = true;
        watch(PEER);
        pass(Duration.ofSeconds(3));
        resume();

        pass(silence(LEASE).minus(NANO));
        assertThat(isThere(PEER)).isTrue();
        pass(NANO);

        assertThat(isThere(PEER)).isFalse();
    }

    @Test
    void aHeartbeatThatArrivesBeforeTheExpiryStartsANewLease() {
        create(PEER, LEASE);
        watch(PEER);
        pass(silence(LEASE).minus(NANO));
        isHeldUp = true;
        pass(NANO);
        beat();
        resume();
        assertThat(peers.isAlive(PEER, clock.moment())).isTrue();

        pass(silence(LEASE).minus(NANO));
        assertThat(isThere(PEER)).isTrue();
        pass(NANO);

        assertThat(isThere(PEER)).isFalse();
    }

    // Reads

    @Test
    void aPeerIsReadOnceASecondAndTwentyTimesInAShortLease() {
        create(PEER, LEASE);
        watch(PEER);
        pass(Duration.ofSeconds(5).minus(NANO));
        assertThat(reads).isEqualTo(5);

        create(ANOTHER, Duration.ofSeconds(10));
        watch(ANOTHER);
        reads = 0;
        pass(Duration.ofSeconds(5).minus(NANO));

        assertThat(reads).isEqualTo(9);
    }

    @Test
    void aPeerThatHasJustBeatenIsNotReadUntilShortlyBeforeItsNextHeartbeat() {
        for (int part : new int[] {1, 2}) {
            create(PEER, LEASE.dividedBy(part));
            watch(PEER);
            pass(SECOND.dividedBy(part).minus(NANO));
            beat();
            pass(NANO);
            reads = 0;

            pass(HEARTBEAT.minus(EARLY).dividedBy(part).minus(NANO));
            assertThat(reads).isZero();
            pass(EARLY.dividedBy(part).plus(NANO));
            assertThat(reads).isOne();
            pass(Duration.ofSeconds(3));
            assertThat(reads).as("no heartbeat has come").isEqualTo(1 + 3 * part);
            peers = peers();
        }
    }

    @Test
    void aPeerThatIsNoLongerReadSoonDoesNotCountAsAlive() {
        create(PEER, LEASE);
        run(peers.watch(new LockKey("another", "default"), Set.of(ANOTHER), clock.moment()));
        watch(PEER);
        watch();
        assertThat(peers.isAlive(PEER, clock.moment())).isTrue();
        pass(SECOND.multipliedBy(2));
        assertThat(peers.isAlive(PEER, clock.moment())).isFalse();

        watch(PEER);

        assertThat(peers.isAlive(PEER, clock.moment())).isTrue();
        assertThat(alive).as("locks that are told of a living peer").containsExactly(KEY, KEY);
    }

    // Crowds

    @Test
    void manyPeersAreReadAndExpiredTogether() {
        SessionId[] crowd = crowd(180);
        watch(crowd);

        pass(silence(LEASE));

        assertThat(table.sessionIds()).isEmpty();
        assertThat(reads).as("two calls a second").isLessThanOrEqualTo(46);
    }

    /** How long a session with this lease may be silent. */
    private static Duration silence(Duration lease) {
        return lease.plus(lease.dividedBy(12));
    }

    private SessionId[] crowd(int size) {
        List<SessionId> crowd =
                LongStream.rangeClosed(1, size).mapToObj(SessionId::of).toList();
        crowd.forEach(id -> create(id, LEASE));
        return crowd.toArray(SessionId[]::new);
    }

    @Test
    void theLastFourThousandDeadSessionsThatWereAskedForAreRemembered() {
        for (int i = 0; i < 4_096; i++) {
            run(peers.gone(SessionId.of(i), clock.moment()));
        }
        assertThat(peers.isDead(SessionId.of(0))).isTrue();

        run(peers.gone(SessionId.of(4_096), clock.moment()));

        assertThat(peers.isDead(SessionId.of(0))).isTrue();
        assertThat(peers.isDead(SessionId.of(1))).isFalse();
    }

    private static Peers peers() {
        return new Peers(TestSettings.of(LEASE));
    }

    private void create(SessionId id, Duration lease) {
        table.edit(id, new SessionEdit.End(), clock.now());
        table.edit(id, new SessionEdit.Begin(lease, "owner", clock.now()), clock.now());
    }

    private void beat() {
        table.edit(PEER, new SessionEdit.Heartbeat(++beats, Set.of(), clock.now()), clock.now());
    }

    private boolean isThere(SessionId id) {
        return table.session(id).isPresent();
    }

    private void watch(SessionId... ids) {
        run(peers.watch(KEY, new LinkedHashSet<>(List.of(ids)), clock.moment()));
    }

    /** Answers the calls at once, unless they are held up. */
    private void run(List<PeerEffect> effects) {
        for (PeerEffect effect : effects) {
            if (effect instanceof PeerEffect.Dead) {
                deaths++;
            } else if (effect instanceof PeerEffect.Alive told) {
                alive.add(told.key());
            } else if (isHeldUp) {
                heldUp.add(effect);
            } else if (effect instanceof PeerEffect.SendRead read) {
                reads++;
                Map<SessionId, Optional<SessionItem>> found = table.sessions(
                                read.call().sessions())
                        .toCompletableFuture()
                        .join()
                        .content();
                run(peers.answered(read.call(), found, clock.now(), clock.now(), clock.moment()));
            } else if (effect instanceof PeerEffect.SendExpiry expiry) {
                Answer<Optional<SessionItem>> answer = afterExpiry(expiry.call());
                run(peers.answered(expiry.call(), answer, clock.now(), clock.moment()));
            }
        }
    }

    private Answer<Optional<SessionItem>> afterExpiry(SentExpiry call) {
        SessionEdit edit = new SessionEdit.Expire(call.seen().heartbeat());
        return table.edit(call.session(), edit, clock.now())
                .toCompletableFuture()
                .join();
    }

    private void resume() {
        isHeldUp = false;
        List<PeerEffect> answered = List.copyOf(heldUp);
        heldUp.clear();
        run(answered);
    }

    private void pass(Duration time) {
        Moment end = clock.moment().plus(time);
        for (Deadline next = wakeAt(); next.isPast(end); next = wakeAt()) {
            clock.advance(Durations.notNegative(next.remaining(clock.moment())));
            run(peers.woke(clock.moment()));
        }
        clock.advance(end.since(clock.moment()));
    }

    private Deadline wakeAt() {
        return peers.wakeAt();
    }
}
