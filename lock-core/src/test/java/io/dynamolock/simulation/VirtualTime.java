package io.dynamolock.simulation;

import io.dynamolock.internal.engine.EventLoop;
import java.time.Duration;
import java.time.Instant;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;

/** A clock that only moves when told to, and the steps that wait for it. Single-threaded. */
public final class VirtualTime {

    private static final Instant EPOCH = Instant.parse("2026-01-01T00:00:00Z");

    /** More steps at one moment than any test hands in: they hand in each other for ever. */
    private static final int STANDSTILL = 1_000_000;

    private final PriorityQueue<Step> steps = new PriorityQueue<>();
    private long thisMoment;
    private int stepsAtThisMoment;
    private long nanos;
    private long sequence;
    private long run;
    private Runnable afterEachStep = () -> {};

    private static final class Step implements Comparable<Step> {

        private final long at;
        private final long sequence;
        private final Runnable action;
        private boolean cancelled;

        Step(long at, long sequence, Runnable action) {
            this.at = at;
            this.sequence = sequence;
            this.action = action;
        }

        @Override
        public int compareTo(Step other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(sequence, other.sequence);
        }
    }

    /** What happens after every step, at its time. */
    void afterEachStep(Runnable check) {
        afterEachStep = check;
    }

    /** How many steps have run. */
    long stepsRun() {
        return run;
    }

    public long nanos() {
        return nanos;
    }

    public Instant now() {
        return EPOCH.plusNanos(nanos);
    }

    public EventLoop.Timer schedule(Runnable action, Duration delay) {
        Step step = new Step(nanos + Math.max(0, delay.toNanos()), sequence++, action);
        steps.add(step);
        return () -> step.cancelled = true;
    }

    /** Runs the next step, moving the clock to it; false if there is none up to {@code limit}. */
    private boolean runNext(long limit) {
        while (!steps.isEmpty() && steps.peek().at <= limit) {
            Step step = steps.remove();
            if (!step.cancelled) {
                nanos = Math.max(nanos, step.at);
                run++;
                step.action.run();
                afterEachStep.run();
                return true;
            }
        }
        return false;
    }

    public void advance(Duration duration) {
        long end = nanos + duration.toNanos();
        while (runNext(end)) {
            mustNotStandStill();
        }
        nanos = end;
    }

    /** Runs what is due without moving the clock. */
    public void settle() {
        advance(Duration.ZERO);
    }

    /** Moves on until the condition holds; false if it does not within the limit. */
    public boolean advanceUntil(BooleanSupplier condition, Duration limit) {
        long end = nanos + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (!runNext(end)) {
                nanos = end;
                return condition.getAsBoolean();
            }
            mustNotStandStill();
        }
        return true;
    }

    private void mustNotStandStill() {
        stepsAtThisMoment = nanos == thisMoment ? stepsAtThisMoment + 1 : 0;
        thisMoment = nanos;
        if (stepsAtThisMoment > STANDSTILL) {
            throw new AssertionError("Time stands still: " + STANDSTILL + " steps at " + now());
        }
    }
}
