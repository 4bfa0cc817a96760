package io.dynamolock.internal.engine;

import io.dynamolock.internal.engine.Network.Call;
import io.dynamolock.internal.engine.Network.Fate;
import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.testing.Measured;
import io.dynamolock.internal.testing.Steps;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * What becomes of a crowd of callers of one key in one process, and how much work that is. All happens by a virtual
 * clock on the calling thread, so the work can be measured on this thread.
 */
public enum Flood implements Measured {
    /** All come within a second, and the times of all are over within the next. */
    TIMES_OUT_ONE_BY_ONE {
        @Override
        void happensTo(int callers, Bench bench) {
            bench.grant(bench.processThatHasUsedTheLock());
            LockEngine process = bench.processWithSession();
            come(callers, bench, i -> process.acquire(Bench.exclusive(SECOND)));
            ends(bench, SECOND.multipliedBy(2));
        }
    },
    TIMES_OUT_AT_ONCE {
        @Override
        void happensTo(int callers, Bench bench) {
            bench.grant(bench.processThatHasUsedTheLock());
            LockEngine process = bench.processWithSession();
            comeAtOnce(callers, bench, i -> process.acquire(Bench.exclusive(SECOND)));
            ends(bench, SECOND.multipliedBy(2));
        }
    },
    /** The holder is a caller of the same process. */
    TIMES_OUT_BEHIND_AN_OWN_HOLDER {
        @Override
        void happensTo(int callers, Bench bench) {
            LockEngine process = bench.processThatHasUsedTheLock();
            bench.grant(process);
            come(callers, bench, i -> process.acquire(Bench.exclusive(SECOND)));
            ends(bench, SECOND.multipliedBy(2));
        }
    },
    /** The store does not answer, so callers are owed an answer when their times are over. */
    TIMES_OUT_WITHOUT_ANSWERS {
        @Override
        void happensTo(int callers, Bench bench) {
            LockEngine process = bench.processThatHasUsedTheLock();
            bench.network.always(Call.EDIT, Fate.SILENT).always(Call.READ, Fate.SILENT);
            come(callers, bench, i -> process.acquire(Bench.exclusive(SECOND)));
            ends(bench, SECOND.multipliedBy(4));
        }
    },
    /** Callers give up one by one within a second, the last of the line first: each is decided on alone. */
    IS_CANCELLED_ONE_BY_ONE {
        @Override
        void happensTo(int callers, Bench bench) {
            bench.grant(bench.processThatHasUsedTheLock());
            LockEngine process = bench.processWithSession();
            List<Acquisition> all = comeAtOnce(callers, bench, i -> process.acquire(Bench.exclusive()));
            for (int i = callers - 1; i >= 0; i--) {
                all.get(i).abandon();
                bench.time.advance(SECOND.dividedBy(callers));
            }
            ends(bench, SECOND);
        }
    },
    /** All callers give up at the same moment, the last of the line first. */
    IS_CANCELLED_AT_ONCE {
        @Override
        void happensTo(int callers, Bench bench) {
            bench.grant(bench.processThatHasUsedTheLock());
            LockEngine process = bench.processWithSession();
            List<Acquisition> all = comeAtOnce(callers, bench, i -> process.acquire(Bench.exclusive()));
            for (int i = callers - 1; i >= 0; i--) {
                all.get(i).abandon();
            }
            ends(bench, SECOND);
        }
    },
    /** Each caller has the lock for a moment. */
    IS_SERVED {
        @Override
        void happensTo(int callers, Bench bench) {
            LockEngine process = bench.processThatHasUsedTheLock();
            come(callers, bench, i -> releasedAtOnce(process.acquire(Bench.exclusive())));
            ends(bench, Duration.ofMinutes(1));
        }
    },
    READS_TOGETHER {
        @Override
        void happensTo(int callers, Bench bench) {
            LockEngine process = bench.processThatHasUsedTheLock();
            List<Acquisition> all =
                    comeAtOnce(callers, bench, i -> process.acquire(Bench.spec(Kind.READ, Duration.ofMinutes(1))));
            bench.time.advance(SECOND.multipliedBy(5));
            for (Acquisition acquisition : all) {
                Acquisitions.grant(acquisition).release(null);
                bench.time.advance(SECOND.dividedBy(callers));
            }
            ends(bench, SECOND);
        }
    },
    /** All come and go while a read of the item takes long. */
    DOES_NOT_WAIT {
        @Override
        void happensTo(int callers, Bench bench) {
            bench.grant(bench.processThatHasUsedTheLock());
            LockEngine process = bench.processWithSession();
            bench.acquire(process, Bench.exclusive(Duration.ofMillis(1)));
            bench.network.oneWayTakes(() -> SECOND.dividedBy(2));
            come(callers, bench, i -> process.acquire(Bench.exclusive(Duration.ZERO)));
            ends(bench, SECOND.multipliedBy(4));
        }
    },
    WAITS_FOR_PERMITS {
        @Override
        void happensTo(int callers, Bench bench) {
            LockEngine holder = bench.processWithSession();
            for (int i = 0; i < 100; i++) {
                bench.granted(holder.acquire(Bench.spec(Kind.PERMIT, SECOND)));
            }
            LockEngine process = bench.processWithSession();
            come(callers, bench, i -> process.acquire(Bench.spec(Kind.PERMIT, SECOND)));
            ends(bench, SECOND.multipliedBy(2));
        }
    },
    /** As many processes as a queue has room for, but one, are ahead. */
    TIMES_OUT_BEHIND_A_LONG_QUEUE {
        @Override
        void happensTo(int callers, Bench bench) {
            LockEngine process = bench.processWithSession();
            queue(199, bench);
            come(callers, bench, i -> process.acquire(Bench.exclusive(SECOND)));
            ends(bench, SECOND.multipliedBy(2));
        }
    },
    TIMES_OUT_AT_ONCE_BEHIND_A_LONG_QUEUE {
        @Override
        void happensTo(int callers, Bench bench) {
            LockEngine process = bench.processWithSession();
            queue(199, bench);
            comeAtOnce(callers, bench, i -> process.acquire(Bench.exclusive(SECOND)));
            ends(bench, SECOND.multipliedBy(2));
        }
    },
    /** The queue is full, so nobody of the crowd gets a place in it. */
    TIMES_OUT_OUTSIDE_A_FULL_QUEUE {
        @Override
        void happensTo(int callers, Bench bench) {
            LockEngine process = bench.processWithSession();
            queue(200, bench);
            comeAtOnce(callers, bench, i -> process.acquire(Bench.exclusive(SECOND)));
            ends(bench, SECOND.multipliedBy(2));
        }
    };

    private static final Duration SECOND = Duration.ofSeconds(1);

    /** The acquisitions of the crowd, until they are known to have ended. */
    private final ThreadLocal<List<Acquisition>> crowd = ThreadLocal.withInitial(ArrayList::new);

    abstract void happensTo(int callers, Bench bench);

    @Override
    public Work workFor(int callers) {
        Bench bench = new Bench();
        Work before = Work.soFar(Steps.count());
        happensTo(callers, bench);
        return Work.soFar(Steps.count()).since(before);
    }

    /** The callers come one after the other, within a second. */
    void come(int callers, Bench bench, IntFunction<Acquisition> caller) {
        for (int i = 0; i < callers; i++) {
            crowd.get().add(caller.apply(i));
            bench.time.advance(SECOND.dividedBy(callers));
        }
    }

    List<Acquisition> comeAtOnce(int callers, Bench bench, IntFunction<Acquisition> caller) {
        for (int i = 0; i < callers; i++) {
            crowd.get().add(caller.apply(i));
        }
        bench.time.advance(Duration.ofMillis(100));
        return crowd.get();
    }

    /** Other processes, which live and do nothing, have an entry each in the queue. */
    private static void queue(int entries, Bench bench) {
        List<SessionId> sessions = Sessions.begun(entries, Duration.ofHours(1), bench);
        Sessions.queue(Bench.KEY, sessions, bench);
    }

    static Acquisition releasedAtOnce(Acquisition acquisition) {
        acquisition.outcome().thenAccept(outcome -> {
            if (outcome instanceof AcquireOutcome.Granted granted) {
                granted.grant().release(null);
            }
        });
        return acquisition;
    }

    /** The waits of all callers end within this time. */
    void ends(Bench bench, Duration limit) {
        List<Acquisition> all = crowd.get();
        crowd.remove();
        bench.time.advance(limit);
        long waiting = all.stream().filter(caller -> !caller.outcome().isDone()).count();
        if (waiting > 0) {
            throw new AssertionError(waiting + " of " + all.size() + " callers still wait");
        }
    }
}
