package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.protocol.SessionId;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LocksBySessionTest {

    private static final LockKey ONE = new LockKey("one", "default");
    private static final LockKey OTHER = new LockKey("other", "default");

    private final LocksBySession locks = new LocksBySession();

    @Test
    void aSessionHasTheLocksWhoseQueuesShowIt() {
        locks.shows(ONE, queue(1, 2, 1));
        locks.shows(OTHER, queue(2));

        assertThat(locks.of(SessionId.of(1))).containsExactly(ONE);
        assertThat(locks.of(SessionId.of(2))).containsExactly(ONE, OTHER);
        assertThat(locks.of(SessionId.of(3))).isEmpty();
    }

    @Test
    void aLockIsNotAmongThoseOfASessionThatHasLeftItsQueue() {
        locks.shows(ONE, queue(1, 2, 1));
        locks.shows(ONE, queue(2, 3));

        assertThat(locks.of(SessionId.of(1))).isEmpty();
        assertThat(locks.of(SessionId.of(3))).containsExactly(ONE);
        locks.shows(ONE, List.of());
        assertThat(locks.isEmpty()).isTrue();
    }

    @Test
    void nothingIsKeptOnceNobodyWaitsAnyMore() {
        Bench bench = new Bench();
        LockEngine process = bench.processWithSession();
        Sessions.queue(Bench.KEY, Sessions.begun(3, Duration.ofHours(1), bench), bench);
        Acquisition acquisition = bench.acquire(process, Bench.exclusive(Duration.ofSeconds(5)));
        assertThat(bench.waitsBehindNobody(process)).isFalse();

        bench.await(acquisition.outcome());
        bench.advanceMillis(1_000);

        assertThat(bench.waitsBehindNobody(process)).isTrue();
    }

    @Test
    void allLocksBehindASessionAreFreeSoonAfterItsDeath() {
        Bench bench = new Bench();
        LockEngine process = bench.processWithSession();
        List<SessionId> dead = Sessions.begun(1, Bench.LEASE, bench);
        List<Acquisition> waiting = List.of(ONE, OTHER, Bench.KEY).stream()
                .map(key -> {
                    Sessions.queue(key, dead, bench);
                    return process.acquire(Bench.exclusive(key, Duration.ofMinutes(2)));
                })
                .toList();

        assertThat(bench.time.advanceUntil(
                        () -> bench.table.session(dead.get(0)).isEmpty(), Duration.ofMinutes(1)))
                .isTrue();
        // Enough for the answer and an edit, and not for the next poll.
        bench.advanceMillis(60);

        assertThat(waiting).allMatch(caller -> caller.outcome().isDone());
    }

    private static List<Entry> queue(long... sessions) {
        return LongStream.of(sessions)
                .<Entry>mapToObj(id -> new Entry.OfSession(SessionId.of(id), 1, Mode.EXCLUSIVE, 1))
                .toList();
    }
}
