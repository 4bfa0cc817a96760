package io.dynamolock.engine;

import io.dynamolock.internal.engine.HoldLimits;
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

    /**
     * @param isOver whether the longest hold was seen to be over
     * @param isFixed whether there is no change any more
     * @param watchers told on the event loop after a change
     */
    private record State(HoldLimits limits, boolean isOver, boolean isFixed, List<Runnable> watchers) {}

    private static final AtomicReferenceFieldUpdater<ChangingLimits, State> STATE =
            AtomicReferenceFieldUpdater.newUpdater(ChangingLimits.class, State.class, "state");

    private volatile State state;

    /** Touched on the event loop. */
    private Runnable holder = () -> {};

    ChangingLimits(HoldLimits first) {
        state = new State(first, false, false, List.of());
    }

    /** @param to what enforces them from now on: told first after a change */
    void bind(Runnable to) {
        holder = to;
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
            if (STATE.compareAndSet(this, seen, new State(seen.limits, true, seen.isFixed, seen.watchers))) {
                return Duration.ZERO;
            }
        }
    }

    /**
     * Whether they are changed: not if the longest hold is over, if they are fixed, or if they are not those any more that were
     * there before.
     */
    boolean change(HoldLimits before, HoldLimits after) {
        State seen = state;
        return !seen.isOver
                && !seen.isFixed
                && seen.limits.equals(before)
                && STATE.compareAndSet(this, seen, new State(after, false, false, seen.watchers));
    }

    /** The owner has released the lock: what they are now decides for how long it is kept, and a change would come too late. */
    void fix() {
        STATE.updateAndGet(this, seen -> new State(seen.limits, seen.isOver, true, seen.watchers));
    }

    void onChange(Runnable watcher) {
        STATE.updateAndGet(
                this,
                seen -> new State(
                        seen.limits,
                        seen.isOver,
                        seen.isFixed,
                        Stream.concat(seen.watchers.stream(), Stream.of(watcher))
                                .toList()));
    }

    /** They were changed. */
    void tell() {
        holder.run();
        state.watchers.forEach(Runnable::run);
    }
}
