package io.dynamolock.internal.engine;

import io.dynamolock.internal.loop.EventLoop;
import io.dynamolock.internal.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;

/** A clock that goes on only from one step that was planned to the next, all of them on one thread and in the same order in every run. */
public final class VirtualTime implements TimeSource {

    static final Instant ORIGIN = Instant.ofEpochSecond(1_000_000);

    /** What happens at a time, in the order in which it was planned. */
    public record Step(long at, long order, Runnable run) implements Comparable<Step> {

        @Override
        public int compareTo(Step other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(order, other.order);
        }
    }

    private final PriorityQueue<Step> agenda = new PriorityQueue<>();
    private long now;
    private long order;
    private Duration wallClockAhead = Duration.ZERO;

    /** One that does not stand at zero, which would hide what is subtracted from it. */
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

    /** Lets all happen that happens within this time. */
    public void advance(Duration time) {
        long end = now + time.toNanos();
        runUntil(() -> false, end);
        now = end;
    }

    /** Lets happen what happens until it is so, at most for this time. @return whether it is so */
    public boolean advanceUntil(BooleanSupplier isSo, Duration most) {
        runUntil(isSo, now + most.toNanos());
        return isSo.getAsBoolean();
    }

    private void runUntil(BooleanSupplier isSo, long end) {
        long sameMoment = 0;
        while (!isSo.getAsBoolean() && !agenda.isEmpty() && agenda.peek().at() <= end) {
            Step next = agenda.remove();
            sameMoment = next.at() == now ? sameMoment + 1 : 0;
            if (sameMoment > 1_000_000) {
                throw new AssertionError("time stands still at " + now);
            }
            now = next.at();
            next.run().run();
        }
    }

    /** An event loop that runs its steps by this clock, none while its process is frozen, and none once it is dead. */
    public final class Loop implements EventLoop {

        private long frozenUntil = Long.MIN_VALUE / 2;
        private boolean isDead;
        private int timers;

        /** How many steps wait for their time. */
        public int timers() {
            return timers;
        }

        public void freeze(Duration time) {
            frozenUntil = Math.max(frozenUntil, now + time.toNanos());
        }

        /** Whether it has not been frozen for this long. */
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
                timers -= isOver[0] ? 0 : 1;
                isOver[0] = true;
            };
            in(
                    delay,
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
