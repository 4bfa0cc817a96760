package io.dynamolock.engine;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Callers that have just been served mostly come back at once. They wait for each other, so that they share the next
 * write: else each of them would stand in a block of its own for ever. Lives on the event loop.
 */
final class Comeback {

    /** What the first to come back waits for others that can still join the block that holds the lock. */
    private static final Duration TO_JOIN = Duration.ofMillis(1);
    /** What they wait for the last one: its release returns when the block is out, and then its thread has to wake up. */
    private static final Duration AFTER_THE_END = Duration.ofMillis(3);
    /** Long sections keep nobody from asking for longer than about two looks take. */
    private static final Duration LONGEST = Duration.ofMillis(50);
    /** Nobody loses more than one part in so many of its wait to it. */
    private static final int SHARE_OF_WAIT = 4;

    private final KeyParts parts;
    private EventLoop.@Nullable Timer timer;
    private long due;
    private int served;
    private int returned;

    Comeback(KeyParts parts) {
        this.parts = parts;
    }

    /** A caller of this process has been served. */
    void served() {
        served++;
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
     * @param mayJoin whether the caller can still join it
     */
    void arrived(Duration wait, boolean inTurn, boolean mayJoin) {
        returned++;
        if (inTurn || timer != null) {
            waitAtMost(Collections.min(List.of(mayJoin ? TO_JOIN : LONGEST, wait.dividedBy(SHARE_OF_WAIT))));
        }
    }

    /** Whether the callers that have come wait for others. */
    boolean isUnderWay() {
        return timer != null;
    }

    /** No block of this process has its turn: no further caller will have to come back. */
    void turnIsOver() {
        if (timer == null || returned >= served) {
            end();
        } else {
            waitAtMost(AFTER_THE_END);
        }
    }

    void end() {
        served = 0;
        returned = 0;
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    private void waitAtMost(Duration longest) {
        long then = parts.context.time.nanos() + longest.toNanos();
        if (timer == null || then - due < 0) {
            if (timer != null) {
                timer.cancel();
            }
            due = then;
            timer = parts.calls.later(this::end, longest);
        }
    }
}
