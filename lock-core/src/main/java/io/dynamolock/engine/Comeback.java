package io.dynamolock.engine;

import io.dynamolock.internal.engine.EventLoop;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Callers that have just been served mostly come back at once. They wait for each other, so that they share the next
 * write: else each of them would stand in a block of its own for ever. Lives on the event loop.
 */
final class Comeback {

    /**
     * What callers that can still join the block that holds the lock wait for the next of it to be served or to come back:
     * short sections follow each other faster, and no other process is known to wait.
     */
    private static final Duration TO_JOIN = Duration.ofMillis(1);
    /** From then on a write costs more time than waiting for those that can share it. */
    private static final Duration SLOW_WRITE = Duration.ofMillis(2);
    /** What they wait for the last one: its release returns when the block is out, and then its thread has to wake up. */
    private static final Duration AFTER_THE_END = Duration.ofMillis(3);
    /** Long sections keep nobody from asking for longer than about two looks take. */
    private static final Duration LONGEST = Duration.ofMillis(50);
    /** Nobody loses more than one part in so many of its wait to it. */
    private static final int SHARE_OF_WAIT = 4;

    private final EngineContext context;
    private final KeyCalls calls;
    private EventLoop.@Nullable Timer timer;
    private long due;
    private long planned;
    private long latest;
    private boolean mayJoin;
    private boolean isWorthIt;
    private int served;
    private int returned;

    Comeback(EngineContext context, KeyCalls calls) {
        this.context = context;
        this.calls = calls;
    }

    /** A caller of this process has been served. */
    void served() {
        served++;
        if (timer != null) {
            plan();
        }
    }

    /** Whether callers have been served that may come back. */
    boolean isExpected() {
        return served > 0;
    }

    /**
     * A caller has come, when one was expected.
     *
     * @param wait the shortest wait of the callers that have come
     * @param inTurn whether a block of this process has its turn, or will have it soon
     * @param canJoin whether the caller can still join it
     */
    void arrived(Duration wait, boolean inTurn, boolean canJoin) {
        returned++;
        if (inTurn || timer != null) {
            waitForOthers(wait, canJoin);
        }
    }

    /**
     * Callers have joined the block that holds the lock, and others have come meanwhile: all can share the next write.
     *
     * @param wait the shortest wait of the callers that have come
     * @param took how long the write took: a fast one is not waited for
     */
    void joined(Duration wait, Duration took) {
        isWorthIt = took.compareTo(SLOW_WRITE) >= 0;
        if (isWorthIt) {
            waitForOthers(wait, true);
        }
    }

    private void waitForOthers(Duration wait, boolean canJoin) {
        mayJoin = canJoin;
        atMost(Collections.min(List.of(LONGEST, wait.dividedBy(SHARE_OF_WAIT))));
    }

    /** Whether the callers that have come wait for others. */
    boolean isUnderWay() {
        return timer != null;
    }

    /** Whether a caller is still missing beside the last one, whose release returns when the next has the lock. */
    boolean isMissed() {
        return isWorthIt && timer != null && served - returned > 1;
    }

    /** No block of this process has its turn: no further caller will have to come back. */
    void turnIsOver() {
        if (timer == null || returned >= served) {
            end();
        } else {
            atMost(AFTER_THE_END);
        }
    }

    /** Nobody waits for callers that may come back any more. */
    void end() {
        served = 0;
        returned = 0;
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    private void atMost(Duration longest) {
        long then = context.time.nanos() + longest.toNanos();
        latest = timer == null || then - latest < 0 ? then : latest;
        plan();
    }

    /** Something has happened for which callers wait: if they can join the block, they wait for the next time. */
    private void plan() {
        long now = context.time.nanos();
        long next = now + TO_JOIN.toNanos();
        due = mayJoin && next - latest < 0 ? next : latest;
        if (timer == null || due - planned < 0) {
            planAt(due, now);
        }
    }

    private void planAt(long then, long now) {
        if (timer != null) {
            timer.cancel();
        }
        planned = then;
        timer = calls.later(this::onTime, Duration.ofNanos(Math.max(0, then - now)));
    }

    private void onTime() {
        long now = context.time.nanos();
        if (due - now > 0) {
            planAt(due, now);
        } else {
            end();
        }
    }
}
