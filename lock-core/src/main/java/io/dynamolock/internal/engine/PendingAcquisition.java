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

/** An acquisition of this process. Its caller's side is thread-safe; the rest lives on the event loop. */
public final class PendingAcquisition implements Acquisition {

    private final AcquireSpec spec;
    private final ClockReading started;
    private final TimeSource time;
    private final EngineListener listener;
    private final Consumer<PendingAcquisition> leaving;
    private final CompletableFuture<AcquireOutcome> outcome = new CompletableFuture<>();

    /** How many were ahead when the caller entered the queue; empty before that. */
    private volatile OptionalLong ahead = OptionalLong.empty();

    /**
     * The waiter as which the present engine knows the caller; {@code null} before an engine has taken the caller over.
     */
    private @Nullable Waiter waiter;

    /** The timer for the end of the wait; does nothing if the caller waits for ever. */
    private EventLoop.Timer deadline = () -> {};

    /** @param leaving told when the caller leaves by itself */
    public PendingAcquisition(
            AcquireSpec spec, TimeSource time, EngineListener listener, Consumer<PendingAcquisition> leaving) {
        this.spec = spec;
        this.started = ClockReading.of(time);
        this.time = time;
        this.listener = listener;
        this.leaving = leaving;
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
        if (outcome.complete(new AcquireOutcome.Abandoned())) {
            leaving.accept(this);
        } else {
            outcome.thenAccept(how -> {
                if (how instanceof AcquireOutcome.Granted granted) {
                    granted.grant().giveBack();
                }
            });
        }
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

    /** Runs this step, and no other, when the caller's time is over; never if the caller waits for ever. */
    public void endsWith(Runnable step, EventLoop loop) {
        deadline.cancel();
        if (!spec.waitsForever()) {
            deadline = loop.schedule(step, spec.waitLimit().minus(waited()));
        }
    }

    /** An engine takes the caller over. */
    void waitsAs(Waiter waiter) {
        this.waiter = waiter;
    }

    /**
     * The waiter as which the present engine knows the caller; {@code null} before an engine has taken the caller over.
     */
    @Nullable
    Waiter waiter() {
        return waiter;
    }

    void queued(long ticket, long others) {
        ahead = OptionalLong.of(others);
        listener.queued(spec, ticket, others);
    }

    public Duration waited() {
        return time.moment().since(started.moment());
    }

    /**
     * Ends the wait.
     *
     * @return whether the caller had not left before
     */
    public boolean end(AcquireOutcome how) {
        deadline.cancel();
        boolean isFirst = outcome.complete(how);
        listener.ended(spec, isFirst ? how : new AcquireOutcome.Abandoned(), waited(), ahead.isPresent());
        return isFirst;
    }
}
