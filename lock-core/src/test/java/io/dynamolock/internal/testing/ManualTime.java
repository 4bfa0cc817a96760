package io.dynamolock.internal.testing;

import static org.awaitility.Awaitility.await;

import io.dynamolock.LockRegistry;
import io.dynamolock.internal.builder.RegistrySurroundings;
import io.dynamolock.internal.engine.VirtualTime;
import io.dynamolock.internal.loop.EventLoop;
import io.dynamolock.internal.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A clock that stands still until a test moves it, and event loops on real threads whose timers follow that clock. */
public final class ManualTime extends RegistrySurroundings implements TimeSource {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final List<Loop> loops = new CopyOnWriteArrayList<>();
    private volatile long nanos;

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public Instant now() {
        return START.plusNanos(nanos);
    }

    @Override
    protected TimeSource time() {
        return this;
    }

    @Override
    protected EventLoop loop(EventLoop own) {
        own.shutdown();
        return newLoop();
    }

    /** One process's loop. */
    public Loop newLoop() {
        Loop loop = new Loop();
        loops.add(loop);
        return loop;
    }

    /** Moves the clock, and runs what becomes due on the threads of its loops, in the order of time. */
    public void advance(Duration duration) {
        long end = nanos + duration.toNanos();
        settle();
        for (Loop loop = earliest(); loop.nextAt() <= end; loop = earliest()) {
            VirtualTime.Step due = loop.next();
            if (due != null) {
                nanos = Math.max(nanos, due.at());
                loop.execute(due.run());
                settle();
            }
        }
        nanos = end;
    }

    /** Moves the clock by steps until it is so. */
    public void advanceUntil(Duration step, BooleanSupplier isSo) {
        await().until(() -> {
            advance(step);
            return isSo.getAsBoolean();
        });
    }

    /** Closes each, which may wait for the clock. */
    public void close(LockRegistry... registries) {
        for (LockRegistry registry : registries) {
            advanceUntil(Duration.ofSeconds(1), CompletableFuture.runAsync(registry::close)::isDone);
        }
    }

    /** Waits until every step that was handed in, and those that it handed in, have run. */
    public void settle() {
        loops.forEach(Loop::settle);
    }

    private Loop earliest() {
        return Collections.min(loops, Comparator.comparingLong(Loop::nextAt));
    }

    public final class Loop implements EventLoop {

        private final ExecutorService executor = Executors.newSingleThreadExecutor(this::newThread);
        private volatile Thread thread;
        private final PriorityQueue<VirtualTime.Step> timers = new PriorityQueue<>();
        private long sequence;

        private Thread newThread(Runnable task) {
            thread = new Thread(task, "manual-loop");
            thread.setDaemon(true);
            return thread;
        }

        @Override
        public boolean execute(Runnable step) {
            try {
                executor.execute(step);
                return true;
            } catch (RejectedExecutionException e) {
                return false;
            }
        }

        @Override
        public synchronized Timer schedule(Runnable step, Duration delay) {
            VirtualTime.Step due = new VirtualTime.Step(nanos + delay.toNanos(), sequence++, step);
            timers.add(due);
            return () -> {
                synchronized (this) {
                    timers.remove(due);
                }
            };
        }

        @Override
        public void shutdown() {
            executor.shutdown();
        }

        private synchronized long nextAt() {
            return timers.isEmpty() ? Long.MAX_VALUE : timers.peek().at();
        }

        private synchronized VirtualTime.Step next() {
            return timers.poll();
        }

        private void settle() {
            for (int i = 0; i < 10; i++) {
                CompletableFuture<Void> ran = new CompletableFuture<>();
                if (execute(() -> ran.complete(null))) {
                    ran.orTimeout(10, TimeUnit.SECONDS).join();
                }
            }
        }
    }
}
