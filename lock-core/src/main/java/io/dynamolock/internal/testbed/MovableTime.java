package io.dynamolock.internal.testbed;

import io.dynamolock.internal.loop.EventLoop;
import io.dynamolock.internal.time.TimeSource;
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
 * A clock that runs at its usual pace, so that nothing waits for ever, and can be moved ahead. It keeps the timers of
 * all event loops that use it. A move stops at each timer that is due on the way, until all loops have done what
 * follows from that timer. So heartbeats are sent on the way, and nothing is late because of the move. Thread-safe.
 */
final class MovableTime implements TimeSource {

    /** How long a loop may be busy, in real time; its steps do not block. */
    private static final Duration LONGEST_STEP = Duration.ofSeconds(30);

    /** How long callbacks are waited for, in real time: they may wait for the test itself. */
    private static final Duration LONGEST_CALLBACK = Duration.ofSeconds(2);

    /** An idle thread ends after this long. */
    private static final int IDLE_SECONDS = 5;

    private final TimeSource real = TimeSource.system();
    /** Held by the thread that moves the clock. */
    private final ReentrantLock mover = new ReentrantLock();
    /** Guards the fields below. */
    private final ReentrantLock lock = new ReentrantLock();
    /** Signalled when steps, callbacks or anything else that a thread waits for has changed. */
    private final Condition changed = lock.newCondition();
    /** The timers that have not rung. */
    private final PriorityQueue<Alarm> alarms = new PriorityQueue<>();
    /** Rings the timers that become due at the usual pace. */
    private final ScheduledThreadPoolExecutor pacer;
    /** How many nanoseconds this clock is ahead of the machine's. Never falls. */
    private volatile long ahead;
    /** How many timers were set so far. */
    private long scheduled;
    /** Steps that a loop has accepted and not finished. */
    private long steps;
    /** Callbacks that were handed out and have not returned. */
    private long callbacks;
    /** The pacer's task for the earliest timer; null if there is no timer. */
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

    /** Not to be called on a loop. Returns when everything that was due, and what followed from it, has been done. */
    void advance(Duration length) {
        mover.lock();
        try {
            awaitQuiet();
            long target = nanos() + length.toNanos();
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

    /**
     * Moves ahead to the next timer of any loop.
     *
     * @return false if no timer is due within the longest move
     */
    boolean advanceToNextTimer(Duration longest) {
        mover.lock();
        try {
            awaitQuiet();
            boolean rang = ringNext(nanos() + longest.toNanos());
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

    /** Rings what has become due at the usual pace. */
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

    /** Has the pacer ring the earliest timer when it becomes due. */
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

    /** The step, counted as something to wait for until it has run. */
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

    /** A counted step will never run. */
    void dropped() {
        count(-1, 0);
    }

    /** The callback, counted as something to wait for, but not for long. */
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

    /** Has waiting threads check their conditions again. */
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

    /** Waits until the callbacks of losses have returned, but not for long: they may wait for the test. */
    void awaitCallbacks() {
        await(LONGEST_CALLBACK, () -> callbacks == 0);
    }

    /**
     * Waits, in real time, for something that changes with the steps of a loop.
     *
     * @return whether the condition holds in the end
     */
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

    /** A timer. Due timers ring in the order of their times; those of one time in the order in which they were set. */
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
