package io.dynamolock.internal.engine;

import io.dynamolock.engine.AcquireOutcome;
import io.dynamolock.engine.AcquireSpec;
import io.dynamolock.engine.EventLoop;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A caller's attempt to get a lock, under way or ended. Thread-safe. */
public final class Acquisition {

    private final AcquireSpec spec;
    private final Consumer<Acquisition> leaving;
    private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    private volatile long ahead = -1;
    private @Nullable Waiter waiter;
    private EventLoop.Timer deadline = () -> {};

    /** @param leaving told when the caller leaves by itself */
    Acquisition(AcquireSpec spec, Consumer<Acquisition> leaving) {
        this.spec = spec;
        this.leaving = leaving;
    }

    AcquireSpec spec() {
        return spec;
    }

    /**
     * The outcome; never completes exceptionally. Completed on the event loop: block on it, or attach only asynchronous
     * continuations.
     */
    public CompletableFuture<Outcome> outcome() {
        return outcome;
    }

    /** How many were ahead when it entered the queue, as far as this process knew; empty if it did not. */
    public OptionalLong ahead() {
        long known = ahead;
        return known < 0 ? OptionalLong.empty() : OptionalLong.of(known);
    }

    /** Leaves the queue; if the lock had been granted already, gives it back. */
    public void abandon() {
        if (outcome.complete(new Outcome.NotGranted(new AcquireOutcome.Abandoned()))) {
            leaving.accept(this);
        } else {
            outcome.thenAccept(how -> {
                if (how instanceof Outcome.Granted granted) {
                    granted.grant().release(null);
                }
            });
        }
    }

    // On the event loop

    void waitsAs(Waiter as) {
        waiter = as;
    }

    @Nullable
    Waiter waiter() {
        return waiter;
    }

    void endsWith(EventLoop.Timer timer) {
        deadline = timer;
    }

    void queued(long others) {
        ahead = others;
    }

    /** @return whether the caller still wanted it */
    boolean grant(Grant grant) {
        deadline.cancel();
        return outcome.complete(new Outcome.Granted(grant));
    }

    void end(AcquireOutcome why) {
        deadline.cancel();
        outcome.complete(new Outcome.NotGranted(why));
    }

    void closed() {
        end(new AcquireOutcome.Closed());
    }
}
