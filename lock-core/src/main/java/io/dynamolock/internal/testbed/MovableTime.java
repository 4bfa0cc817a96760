package io.dynamolock.internal.testbed;

import io.dynamolock.internal.engine.EventLoop;
import io.dynamolock.internal.engine.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.PriorityQueue;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A clock that goes on at its usual pace, so that nothing waits for ever, and can be moved ahead. It keeps the timers of all
 * loops that count by it. When it is moved it stops at each timer that is due on the way, until all loops have done what follows
 * from it: heartbeats go along, and nothing is late because of the move. Thread-safe.
 */
final class MovableTime implements TimeSource {

    /** Steps of a loop do not block. */
    private static final Duration LONGEST_STEP = Duration.ofSeconds(30);

    /** A test's callback may wait for the test itself. */
    private static final Duration LONGEST_CALLBACK = Duration.ofSeconds(2);

    private static final int IDLE_SECONDS = 5;

    private final TimeSource real = TimeSource.system();
    private final ReentrantLock mover = new ReentrantLock();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final PriorityQueue<Alarm> alarms = new PriorityQueue<>();
    private final ScheduledThreadPoolExecutor pacer;
    private volatile long ahead;
    private long scheduled;
    private long steps;
    private long callbacks;
    private @Nullable Future<?> nextRing;

    MovableTime() {
        pacer = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "dynamolock-test-clock");
            thread.setDaemon(true);
            return thread;
        });
        pacer.setRemoveOnCancelPolicy(true);
        pacer.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        pacer.allowCoreThreadTimeOut(true);
        pacer.setRejectedExecutionHandler((task, closed) -> {});
    }

    @Override
    public long nanos() {
        return real.nanos() + ahead;
    }

    @Override
    public Instant now() {
        return real.now().plusNanos(ahead);
    }

    /** Not to be called on a loop. Returns when all that was due, and what followed from it, has been done. */
    void advance(Duration by) {
        mover.lock();
        try {
            awaitQuiet();
            long target = nanos() + by.toNanos();
            while (ringNext(target)) {
                awaitQuiet();
            }
            moveTo(target);
            awaitQuiet();
        } finally {
            mover.unlock();
        }
        awaitCallbacks();
    }

    /** Moves ahead to the next timer of any loop, if there is one. */
    boolean advanceToNextTimer(Duration most) {
        mover.lock();
        try {
            awaitQuiet();
            boolean rang = ringNext(nanos() + most.toNanos());
            awaitQuiet();
            return rang;
        } finally {
            mover.unlock();
        }
    }

    private boolean ringNext(long latest) {
        lock.lock();
        try {
            Alarm next = alarms.peek();
            if (next == null || next.due - latest > 0) {
                return false;
            }
            moveTo(next.due);
            alarms.remove();
            next.ring();
            ringInTime();
            return true;
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // Writers hold the lock.
    private void moveTo(long target) {
        lock.lock();
        try {
            ahead += Math.max(0, target - nanos());
            ringInTime();
        } finally {
            lock.unlock();
        }
    }

    /** At the usual pace. */
    private void ringDue() {
        lock.lock();
        try {
            for (Alarm next = alarms.peek(); next != null && next.due - nanos() <= 0; next = alarms.peek()) {
                alarms.remove();
                next.ring();
            }
            ringInTime();
        } finally {
            lock.unlock();
        }
    }

    private void ringInTime() {
        if (nextRing != null) {
            nextRing.cancel(false);
            nextRing = null;
        }
        Alarm next = alarms.peek();
        if (next != null) {
            nextRing = pacer.schedule(this::ringDue, Math.max(0, next.due - nanos()), TimeUnit.NANOSECONDS);
        }
    }

    /** @param step runs on this loop */
    EventLoop.Timer schedule(EventLoop loop, Runnable step, Duration delay) {
        lock.lock();
        try {
            Alarm alarm = new Alarm(loop, step, nanos() + delay.toNanos(), scheduled++);
            alarms.add(alarm);
            if (alarms.peek() == alarm) {
                ringInTime();
            }
            return alarm;
        } finally {
            lock.unlock();
        }
    }

    void forget(EventLoop loop) {
        lock.lock();
        try {
            alarms.removeIf(alarm -> alarm.loop == loop);
            ringInTime();
        } finally {
            lock.unlock();
        }
    }

    /** The same step, counted as something to wait for until it has run. */
    Runnable step(Runnable step) {
        count(1, 0);
        return () -> {
            try {
                step.run();
            } finally {
                count(-1, 0);
            }
        };
    }

    /** A step that was counted, and will never run. */
    void dropped() {
        count(-1, 0);
    }

    /** The same callback, counted as something to wait for, but not for long. */
    Runnable callback(Runnable callback) {
        count(0, 1);
        return () -> {
            try {
                callback.run();
            } finally {
                count(0, -1);
            }
        };
    }

    /** Has those who wait check again. */
    void somethingChanged() {
        count(0, 0);
    }

    private void count(int moreSteps, int moreCallbacks) {
        lock.lock();
        try {
            steps += moreSteps;
            callbacks += moreCallbacks;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until no loop has anything to do at this moment. */
    void awaitQuiet() {
        if (!await(LONGEST_STEP, () -> steps == 0)) {
            throw new IllegalStateException("The locks of this test were still busy after " + LONGEST_STEP
                    + ". Is it TestLocks itself that was called from a callback which runs on its loop?");
        }
    }

    /** Waits until the news of losses has been told, as far as that does not wait for the test. */
    void awaitCallbacks() {
        await(LONGEST_CALLBACK, () -> callbacks == 0);
    }

    /** Waits, by real time, for something that changes with the steps of a loop. */
    boolean await(Duration longest, BooleanSupplier condition) {
        long rest = longest.toNanos();
        boolean interrupted = false;
        lock.lock();
        try {
            while (!condition.getAsBoolean() && rest > 0) {
                try {
                    rest = changed.awaitNanos(rest);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            return condition.getAsBoolean();
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    void close() {
        pacer.shutdownNow();
    }

    /** Due timers ring in the order of their times, and then of their setting. */
    private final class Alarm implements EventLoop.Timer, Comparable<Alarm> {

        private final EventLoop loop;
        private final Runnable step;
        private final long due;
        private final long number;
        private volatile boolean cancelled;

        Alarm(EventLoop loop, Runnable step, long due, long number) {
            this.loop = loop;
            this.step = step;
            this.due = due;
            this.number = number;
        }

        void ring() {
            loop.execute(() -> {
                if (!cancelled) {
                    step.run();
                }
            });
        }

        @Override
        public void cancel() {
            cancelled = true;
            lock.lock();
            try {
                alarms.remove(this);
            } finally {
                lock.unlock();
            }
        }

        @Override
        public int compareTo(Alarm other) {
            return due == other.due ? Long.compare(number, other.number) : Long.compare(due - other.due, 0);
        }
    }
}
