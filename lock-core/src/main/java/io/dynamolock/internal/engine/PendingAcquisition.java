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
    final long startedNanos;
    private final Instant startedAt;
    private final TimeSource time;
    private final EngineListener listener;
    private final Consumer<PendingAcquisition> leaving;
    private final CompletableFuture<AcquireOutcome> outcome = new CompletableFuture<>();
    private volatile long ahead = -1;

    /** As whom its engine knows it. */
    @Nullable
    Waiter waiter;

    private EventLoop.Timer deadline = () -> {};

    /** @param leaving told when the caller leaves by itself */
    public PendingAcquisition(
            AcquireSpec spec, TimeSource time, EngineListener listener, Consumer<PendingAcquisition> leaving) {
        this.spec = spec;
        this.startedNanos = time.nanos();
        this.startedAt = time.now();
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
        long known = ahead;
        return known < 0 ? OptionalLong.empty() : OptionalLong.of(known);
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
        return startedAt;
    }

    public void endsWith(EventLoop.Timer timer) {
        deadline.cancel();
        deadline = timer;
    }

    void queued(long ticket, long others) {
        ahead = others;
        listener.queued(spec, ticket, others);
    }

    public Duration waited() {
        return Duration.ofNanos(time.nanos() - startedNanos);
    }

    /** @return whether the caller had not left before */
    public boolean end(AcquireOutcome how) {
        deadline.cancel();
        boolean isHow = outcome.complete(how);
        listener.ended(spec, isHow ? how : new AcquireOutcome.Abandoned(), waited(), ahead >= 0);
        return isHow;
    }
}
