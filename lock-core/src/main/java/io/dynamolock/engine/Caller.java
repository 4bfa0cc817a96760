package io.dynamolock.engine;

import java.util.concurrent.CompletableFuture;
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
    private final AcquireSpec spec;
    private final Departures departures;
    private final long startedNanos;

    private @Nullable Block block;
    private long number;
    private boolean queued;
    private EventLoop.@Nullable Timer deadline;

    Caller(AcquireSpec spec, Departures departures, long startedNanos) {
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
        } else if (outcome.join() instanceof AcquireOutcome.Granted granted) {
            granted.grant().release();
        }
    }

    boolean isWaiting() {
        return !outcome.isDone();
    }

    /** Whether this is how it ended: false if it had ended before. */
    boolean end(AcquireOutcome how) {
        return outcome.complete(how);
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
