package io.dynamolock.engine;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One caller on its way to a lock. Its outcome is decided once, by whoever is first: the loop or the caller leaving.
 * All but the outcome belongs to the event loop.
 */
final class Caller implements Acquisition {

    /** What the caller's process does when it leaves by itself. */
    interface Departures {

        void left(Caller caller);
    }

    private final CompletableFuture<AcquireOutcome> outcome = new CompletableFuture<>();
    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicInteger waiting;
    private final AcquireSpec spec;
    private final Departures departures;
    private final long startedNanos;

    private @Nullable Block block;
    private long number;
    private boolean queued;
    private EventLoop.@Nullable Timer deadline;

    /** @param waiting counts this caller for as long as it waits */
    Caller(AcquireSpec spec, Departures departures, long startedNanos, AtomicInteger waiting) {
        this.waiting = waiting;
        waiting.incrementAndGet();
        this.spec = spec;
        this.departures = departures;
        this.startedNanos = startedNanos;
    }

    AcquireSpec spec() {
        return spec;
    }

    long startedNanos() {
        return startedNanos;
    }

    /** One who does not wait puts up with failures that pass as quickly as one call may take, not with an outage. */
    boolean isOutOfPatience(EngineContext context) {
        return spec.waitsNotAtAll() && context.since(startedNanos).compareTo(context.settings.callTimeout()) >= 0;
    }

    @Override
    public CompletableFuture<AcquireOutcome> outcome() {
        return outcome;
    }

    @Override
    public void abandon() {
        if (end(new AcquireOutcome.Abandoned())) {
            departures.left(this);
        } else {
            outcome.thenAccept(how -> {
                if (how instanceof AcquireOutcome.Granted granted) {
                    granted.grant().release();
                }
            });
        }
    }

    boolean isWaiting() {
        return !ended.get();
    }

    /** Whether this is how it ended: false if it had ended before. */
    boolean end(AcquireOutcome how) {
        if (!ended.compareAndSet(false, true)) {
            return false;
        }
        waiting.decrementAndGet();
        outcome.complete(how);
        return true;
    }

    void expectBefore(EventLoop.Timer timer) {
        deadline = timer;
    }

    void cancelDeadline() {
        if (deadline != null) {
            deadline.cancel();
            deadline = null;
        }
    }

    @Nullable
    Block block() {
        return block;
    }

    long number() {
        return number;
    }

    boolean wasQueued() {
        return queued;
    }

    void markQueued() {
        queued = true;
    }

    void numbered(Block in, long ticket) {
        block = in;
        number = ticket;
    }

    /** Back to those without a number. */
    void unnumbered() {
        block = null;
        number = 0;
    }
}
