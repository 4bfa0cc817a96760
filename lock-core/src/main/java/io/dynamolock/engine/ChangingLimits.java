package io.dynamolock.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The limits of one grant, which its owner may change while it holds the lock. Once anybody has seen that the longest hold is
 * over, it stays over, whatever is said later: a handle that was not valid never becomes valid again. Thread-safe.
 */
final class ChangingLimits {

    /** @param watchers told on the event loop after a change */
    private record State(HoldLimits limits, boolean isOver, List<Runnable> watchers) {}

    private static final AtomicReferenceFieldUpdater<ChangingLimits, State> STATE =
            AtomicReferenceFieldUpdater.newUpdater(ChangingLimits.class, State.class, "state");

    private volatile State state;

    ChangingLimits(HoldLimits first) {
        state = new State(first, false, List.of());
    }

    HoldLimits now() {
        return state.limits;
    }

    /**
     * What is left of the longest hold; {@code null} if it has no limit.
     *
     * @param held how long the lock has been held, asked only if that matters
     */
    @Nullable
    Duration rest(Supplier<Duration> held) {
        while (true) {
            State seen = state;
            Duration maxHold = seen.limits.maxHold();
            if (seen.isOver || maxHold == null) {
                return seen.isOver ? Duration.ZERO : null;
            }
            Duration rest = maxHold.minus(held.get());
            if (!rest.isNegative() && !rest.isZero()) {
                return rest;
            }
            if (STATE.compareAndSet(this, seen, new State(seen.limits, true, seen.watchers))) {
                return Duration.ZERO;
            }
        }
    }

    /** Whether they are changed: not if the longest hold is over, or they are not those any more that were there before. */
    boolean change(HoldLimits before, HoldLimits after) {
        State seen = state;
        return !seen.isOver
                && seen.limits.equals(before)
                && STATE.compareAndSet(this, seen, new State(after, false, seen.watchers));
    }

    void onChange(Runnable watcher) {
        STATE.updateAndGet(
                this,
                seen -> new State(
                        seen.limits,
                        seen.isOver,
                        Stream.concat(seen.watchers.stream(), Stream.of(watcher))
                                .toList()));
    }

    void tellWatchers() {
        state.watchers.forEach(Runnable::run);
    }
}
