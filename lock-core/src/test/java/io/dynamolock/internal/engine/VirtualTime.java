package io.dynamolock.internal.engine;

import io.dynamolock.internal.loop.EventLoop;
import io.dynamolock.internal.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;

/**
 * A clock that moves only from one planned step to the next. All steps run on one thread, and in the same order in
 * every run.
 */
public final class VirtualTime implements TimeSource {

    static final Instant ORIGIN = Instant.ofEpochSecond(1_000_000);

    /**
     * A planned step. Steps of the same time run in the order in which they were planned.
     *
     * @param at when the step runs, in nanoseconds by this clock
     * @param order how many steps were planned before
     */
    public record Step(long at, long order, Runnable run) implements Comparable<Step> {

        @Override
        public int compareTo(Step other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(order, other.order);
        }
    }

    private final PriorityQueue<Step> agenda = new PriorityQueue<>();

    /** The monotonic clock, in nanoseconds. */
    private long now;

    /** How many steps were planned so far. */
    private long order;

    private Duration wallClockAhead = Duration.ZERO;

    /** A clock that is past zero: at zero, a test would not see whether a time is subtracted or not. */
    public static VirtualTime notAtZero() {
        VirtualTime time = new VirtualTime();
        time.advance(Duration.ofHours(1));
        return time;
    }

    @Override
    public long nanos() {
        return now;
    }

    @Override
    public Instant now() {
        return ORIGIN.plusNanos(now).plus(wallClockAhead);
    }

    /** Somebody sets the wall clock. */
    public void moveWallClock(Duration ahead) {
        wallClockAhead = wallClockAhead.plus(ahead);
    }

    public long millis() {
        return now / 1_000_000;
    }

    public void in(Duration delay, Runnable run) {
        agenda.add(new Step(now + Math.max(0, delay.toNanos()), order++, run));
    }

    public void inMillis(long millis, Runnable run) {
        in(Duration.ofMillis(millis), run);
    }

    /** Runs all steps that are due within this time. */
    public void advance(Duration time) {
        long end = now + time.toNanos();
        runUntil(() -> false, end);
        now = end;
    }

    /**
     * Runs steps until a condition holds, at most those that are due within this time.
     *
     * @return whether the condition holds
     */
    public boolean advanceUntil(BooleanSupplier condition, Duration limit) {
        runUntil(condition, now + limit.toNanos());
        return condition.getAsBoolean();
    }

    private void runUntil(BooleanSupplier condition, long end) {
        long stepsAtThisTime = 0;
        while (!condition.getAsBoolean() && !agenda.isEmpty() && agenda.peek().at() <= end) {
            Step next = agenda.remove();
            stepsAtThisTime = next.at() == now ? stepsAtThisTime + 1 : 0;
            if (stepsAtThisTime > 1_000_000) {
                throw new AssertionError("time stands still at " + now);
            }
            now = next.at();
            next.run().run();
        }
    }

    /**
     * An event loop that runs its steps by this clock. It runs none while its process is frozen, and none once it is
     * dead.
     */
    public final class Loop implements EventLoop {

        /** How many seconds the clock of the process counts in a second. */
        private final double rate;

        /** By the monotonic clock; long ago if the process was never frozen, but so that no difference overflows. */
        private long frozenUntil = Long.MIN_VALUE / 2;

        private boolean isDead;

        /** How many timers have neither run nor been cancelled. */
        private int timers;

        public Loop() {
            this(1);
        }

        /** @param rate how many seconds the clock of the process counts in a second: its timers go by that clock */
        Loop(double rate) {
            this.rate = rate;
        }

        /** How many timers have neither run nor been cancelled. */
        public int timers() {
            return timers;
        }

        public void freeze(Duration time) {
            frozenUntil = Math.max(frozenUntil, now + time.toNanos());
        }

        /** Whether the process was last frozen at least this long ago. */
        public boolean hasRunFor(Duration time) {
            return now - frozenUntil >= time.toNanos();
        }

        public void die() {
            isDead = true;
        }

        public boolean isDead() {
            return isDead;
        }

        @Override
        public boolean execute(Runnable step) {
            in(Duration.ofNanos(frozenUntil - now), () -> run(step));
            return !isDead;
        }

        private void run(Runnable step) {
            if (isDead) {
                return;
            }
            if (frozenUntil > now) {
                execute(step);
                return;
            }
            step.run();
        }

        @Override
        public Timer schedule(Runnable step, Duration delay) {
            boolean[] isOver = new boolean[1];
            timers++;
            Timer timer = () -> {
                if (!isOver[0]) {
                    isOver[0] = true;
                    timers--;
                }
            };
            in(
                    Duration.ofNanos((long) Math.ceil(delay.toNanos() / rate)),
                    () -> run(() -> {
                        if (!isOver[0]) {
                            timer.cancel();
                            step.run();
                        }
                    }));
            return timer;
        }

        @Override
        public void shutdown() {
            isDead = true;
        }
    }
}
