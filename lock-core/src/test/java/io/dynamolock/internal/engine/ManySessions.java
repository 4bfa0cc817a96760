package io.dynamolock.internal.engine;

import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.testing.Measured;
import io.dynamolock.internal.testing.Steps;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What a process does about many sessions of others that are ahead of its callers, and how much work that is. */
public enum ManySessions implements Measured {
    /** They live, and are read for ten seconds; each lock has a queue of forty. */
    ARE_READ {
        @Override
        void happensTo(int sessions, Bench bench) {
            LockEngine process = bench.processWithSession();
            List<SessionId> ids = Sessions.begun(sessions, MINUTE.multipliedBy(10), bench);
            for (int i = 0; i + QUEUE <= sessions; i += QUEUE) {
                LockKey key = key("behind-" + i);
                Sessions.queue(key, ids.subList(i, i + QUEUE), bench);
                process.acquire(Bench.exclusive(key, MINUTE.multipliedBy(10)));
            }
            // Until the whole queue is watched, since the nearest session ahead sends no heartbeat.
            bench.time.advance(MINUTE.multipliedBy(5));
            before = Work.soFar(Steps.count());
            bench.network.resetCounts();
            bench.time.advance(Duration.ofSeconds(10));
            check(bench.network.sessionReads() >= sessions / 10, "sessions are read: " + bench.network.sessionReads());
        }
    },
    /** They hold a lock each for which a caller waits, and die together; as many other locks are held here. */
    DIE_TOGETHER {
        @Override
        void happensTo(int sessions, Bench bench) {
            LockEngine process = bench.processWithSession();
            List<Acquisition> held = new ArrayList<>();
            List<Acquisition> waiting = new ArrayList<>();
            for (int i = 0; i < sessions; i++) {
                held.add(process.acquire(Bench.exclusive(key("held-" + i), MINUTE)));
            }
            bench.time.advance(MINUTE);
            check(held.stream().allMatch(caller -> caller.outcome().isDone()), "locks are held");
            List<SessionId> ids = Sessions.begun(sessions, Bench.LEASE, bench);
            for (int i = 0; i < sessions; i++) {
                Sessions.queue(key("behind-" + i), ids.subList(i, i + 1), bench);
                waiting.add(process.acquire(Bench.exclusive(key("behind-" + i), MINUTE.multipliedBy(10))));
            }
            bench.time.advance(Bench.LEASE.dividedBy(2));
            before = Work.soFar(Steps.count());
            bench.time.advance(MINUTE);
            check(waiting.stream().allMatch(caller -> caller.outcome().isDone()), "the dead are taken out");
        }
    };

    static final Duration MINUTE = Duration.ofMinutes(1);
    static final int QUEUE = 40;

    /** The work before the part that is measured. */
    Work before = Work.soFar(0);

    abstract void happensTo(int sessions, Bench bench);

    @Override
    public Work workFor(int sessions) {
        Bench bench = new Bench();
        happensTo(sessions, bench);
        return Work.soFar(Steps.count()).since(before);
    }

    static LockKey key(String name) {
        return new LockKey(name, "default");
    }

    static void check(boolean isSo, String what) {
        if (!isSo) {
            throw new AssertionError("not so: " + what);
        }
    }
}
