package io.dynamolock.internal.engine;

import io.dynamolock.internal.loop.EventLoop;
import io.dynamolock.internal.time.ClockReading;
import io.dynamolock.internal.time.Moment;
import io.dynamolock.internal.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An acquisition of this process, which one engine may hand over to the next. The methods of {@link Acquisition} are
 * thread-safe; the others live on the event loop.
 */
public final class PendingAcquisition implements Acquisition {

    private final AcquireSpec spec;
    private final ClockReading started;
    private final TimeSource time;
    private final EngineListener listener;
    private final Consumer<PendingAcquisition> onAbandon;
    private final CompletableFuture<AcquireOutcome> outcome = new CompletableFuture<>();

    /** As {@link #ahead()}. */
    private volatile OptionalLong ahead = OptionalLong.empty();

    /** The caller as the present engine knows it; {@code null} before an engine has taken the caller over. */
    private @Nullable WaitingCaller waiter;

    /** The timer for the end of the wait; a timer that does nothing if the caller waits for ever. */
    private EventLoop.Timer deadline = () -> {};

    /** @param onAbandon called when the caller does not want the lock any more; on the caller's thread */
    public PendingAcquisition(
            AcquireSpec spec, TimeSource time, EngineListener listener, Consumer<PendingAcquisition> onAbandon) {
        this.spec = spec;
        this.started = ClockReading.of(time);
        this.time = time;
        this.listener = listener;
        this.onAbandon = onAbandon;
    }

    @Override
    public CompletableFuture<AcquireOutcome> outcome() {
        return outcome;
    }

    @Override
    public OptionalLong ahead() {
        return ahead;
    }

    @Override
    public void abandon() {
        if (!giveUp(new AcquireOutcome.Abandoned())) {
            outcome.thenAccept(how -> {
                if (how instanceof AcquireOutcome.Granted granted) {
                    granted.grant().giveBack();
                }
            });
        }
    }

    /**
     * Ends the wait before the engine does, which then forgets the caller.
     *
     * @return whether the caller gets this outcome; not if the wait has ended before
     */
    public boolean giveUp(AcquireOutcome how) {
        boolean isFirst = outcome.complete(how);
        if (isFirst) {
            onAbandon.accept(this);
        }
        return isFirst;
    }

    public AcquireSpec spec() {
        return spec;
    }

    /** When the caller came, by the monotonic clock. */
    Moment arrivedAt() {
        return started.moment();
    }

    /** When the caller came, by the wall clock. */
    public Instant startedAt() {
        return started.wall();
    }

    /**
     * Sets the step that runs on the event loop when the caller's time is over, in the place of the step before. It
     * never runs if the caller waits for ever.
     */
    public void endsWith(Runnable step, EventLoop loop) {
        deadline.cancel();
        if (!spec.waitsForever()) {
            deadline = loop.schedule(step, spec.waitLimit().minus(waited()));
        }
    }

    /** An engine takes the caller over. */
    void waitsAs(WaitingCaller waiter) {
        this.waiter = waiter;
    }

    /** The caller as the present engine knows it; {@code null} before an engine has taken the caller over. */
    @Nullable
    WaitingCaller waiter() {
        return waiter;
    }

    /** The caller has a slot in the queue, with this many others ahead. */
    void queued(long ticket, long others) {
        ahead = OptionalLong.of(others);
        listener.queued(spec, ticket, others);
    }

    /** The queue is full, and this many others are ahead. */
    void foundFull(long others) {
        ahead = OptionalLong.of(others);
        listener.foundFull(spec, others);
    }

    public Duration waited() {
        return time.moment().since(started.moment());
    }

    /**
     * Ends the wait.
     *
     * @return whether the caller gets this outcome; not if it has abandoned the acquisition before
     */
    public boolean end(AcquireOutcome how) {
        deadline.cancel();
        boolean isFirst = outcome.complete(how);
        listener.ended(spec, isFirst ? how : new AcquireOutcome.Abandoned(), waited(), ahead.isPresent());
        return isFirst;
    }
}
