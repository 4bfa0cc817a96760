package io.dynamolock.internal.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An acquisition of this process. Its caller's side is thread-safe; the rest lives on the event loop. */
public final class PendingAcquisition implements Acquisition {

    private final AcquireSpec spec;
    final Moment started;
    private final TimeSource time;
    private final EngineListener listener;
    private final Consumer<PendingAcquisition> leaving;
    private final CompletableFuture<AcquireOutcome> outcome = new CompletableFuture<>();
    private volatile OptionalLong ahead = OptionalLong.empty();

    /** As whom its engine knows it. */
    @Nullable
    Waiter waiter;

    private EventLoop.Timer deadline = () -> {};

    /** @param leaving told when the caller leaves by itself */
    public PendingAcquisition(
            AcquireSpec spec, TimeSource time, EngineListener listener, Consumer<PendingAcquisition> leaving) {
        this.spec = spec;
        this.started = Moment.now(time);
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

    /** By the wall clock. */
    public Instant startedAt() {
        return started.at();
    }

    /** Its time ends with this step, and no more with the one before; never if it waits for ever. */
    public void endsWith(Runnable step, EventLoop loop) {
        deadline.cancel();
        if (!spec.waitsForever()) {
            deadline = loop.schedule(step, spec.waitLimit().minus(waited()));
        }
    }

    void queued(long ticket, long others) {
        ahead = OptionalLong.of(others);
        listener.queued(spec, ticket, others);
    }

    public Duration waited() {
        return Duration.ofNanos(time.nanos() - started.nanos());
    }

    /** @return whether the caller had not left before */
    public boolean end(AcquireOutcome how) {
        deadline.cancel();
        boolean isHow = outcome.complete(how);
        listener.ended(spec, isHow ? how : new AcquireOutcome.Abandoned(), waited(), ahead.isPresent());
        return isHow;
    }
}
