package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.protocol.SessionItem;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What it costs a process to watch thousands of sessions of other processes. */
class CrowdOfSessionsTest {

    private static final Duration LEASE = Duration.ofSeconds(20);
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final VirtualTime time = VirtualTime.notAtZero();

    @Test
    void aLockThatBeginsOrEndsToWatchCostsTheSameHoweverManySessionsAreWatched() {
        bytesOfAnotherLock(100);
        long few = bytesOfAnotherLock(100);
        long many = bytesOfAnotherLock(4_000);

        assertThat(many)
                .as("allocated bytes, after %,d with a hundred sessions", few)
                .isLessThan(2 * few);
    }

    private long bytesOfAnotherLock(int sessions) {
        Peers peers = watching(sessions);
        LockKey key = new LockKey("another", "default");
        Set<SessionId> session = Set.of(SessionId.of(sessions + 1L));
        long before = THREADS.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 1_000; i++) {
            answer(peers, peers.watch(key, session, time.moment()));
            peers.wakeAt();
            answer(peers, peers.watch(key, Set.of(), time.moment()));
            peers.wakeAt();
        }
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    @Test
    void twiceAsManySessionsAreLittleMoreThanTwiceTheWork() {
        bytesOfAMinute(500);
        long before = bytesOfAMinute(500);
        for (int sessions = 1_000; sessions <= 4_000; sessions *= 2) {
            long bytes = bytesOfAMinute(sessions);
            assertThat((double) bytes)
                    .as("allocated bytes for %d sessions, after %,d for half of them", sessions, before)
                    .isLessThan(2.3 * before);
            before = bytes;
        }
    }

    /** Each session comes at another moment, so that most of them are read alone. */
    private long bytesOfAMinute(int sessions) {
        Peers peers = watching(sessions);
        Instant end = time.now().plus(Duration.ofMinutes(1));
        long before = THREADS.getCurrentThreadAllocatedBytes();
        while (time.now().isBefore(end)) {
            time.advance(peers.wakeAt().remaining(time.moment()));
            answer(peers, peers.woke(time.moment()));
        }
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    /** Peers that watch so many living sessions, a hundred for each lock, and have read each of them. */
    private Peers watching(int sessions) {
        Peers peers = new Peers(TestSettings.of(LEASE));
        Map<LockKey, Set<SessionId>> watched = new HashMap<>();
        for (int i = 0; i < sessions; i++) {
            LockKey key = new LockKey("key-" + i / 100, "default");
            watched.computeIfAbsent(key, first -> new LinkedHashSet<>()).add(SessionId.of(i));
            answer(peers, peers.watch(key, new LinkedHashSet<>(watched.get(key)), time.moment()));
            time.advance(Duration.ofSeconds(1).dividedBy(sessions));
        }
        return peers;
    }

    private void answer(Peers peers, List<PeerEffect> effects) {
        List<PeerEffect> left = new ArrayList<>(effects);
        while (!left.isEmpty()) {
            if (left.remove(left.size() - 1) instanceof PeerEffect.SendRead read) {
                Map<SessionId, Optional<SessionItem>> found = new HashMap<>();
                for (SessionId id : read.call().sessions()) {
                    long heartbeat = time.millis() / 5_000;
                    found.put(id, Optional.of(new SessionItem(heartbeat, LEASE, "owner", time.now(), Set.of())));
                }
                left.addAll(peers.answered(read.call(), found, time.now(), time.now(), time.moment()));
            }
        }
    }
}
