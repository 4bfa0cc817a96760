package io.dynamolock.engine;

import io.dynamolock.protocol.LockKey;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One grant. Its end is decided once: by its owner's release or the loop's loss, whichever is first. Thread-safe. */
final class GrantedLock implements Grant {

    private static final Logger log = LoggerFactory.getLogger(GrantedLock.class);

    /** Told on the event loop when the owner has released a grant. */
    interface Releases {

        /** @param over why the lock was lost before, if it was */
        void released(GrantedLock grant, @Nullable LossReason over);
    }

    private enum State {
        ACTIVE,
        RELEASED,
        LOST
    }

    private final AtomicReference<State> state = new AtomicReference<>(State.ACTIVE);
    private final CompletableFuture<Boolean> released = new CompletableFuture<>();
    private final CompletableFuture<Void> lost = new CompletableFuture<>();
    private final EngineContext context;
    private final Grants grants;
    private final Releases releases;
    private final AcquireSpec spec;
    private final Session session;
    private final long number;
    private final long grantedNanos;
    private final Instant since;
    private volatile @Nullable Duration heldUntilReleased;
    private @Nullable LossReason taken;

    GrantedLock(
            EngineContext context, Grants grants, Releases releases, AcquireSpec spec, Session session, long number) {
        this.context = context;
        this.grants = grants;
        this.releases = releases;
        this.spec = spec;
        this.session = session;
        this.number = number;
        this.grantedNanos = context.time.nanos();
        this.since = context.time.now();
    }

    @Override
    public LockKey key() {
        return spec.key();
    }

    @Override
    public long number() {
        return number;
    }

    @Override
    public Instant since() {
        return since;
    }

    @Override
    public String name() {
        return spec.name();
    }

    AcquireSpec spec() {
        return spec;
    }

    Duration held() {
        return context.since(grantedNanos);
    }

    @Override
    public boolean isValid() {
        return !remainingValidity().isZero();
    }

    @Override
    public Duration remainingValidity() {
        if (state.get() != State.ACTIVE || grants.isClosed()) {
            return Duration.ZERO;
        }
        return owned();
    }

    private Duration owned() {
        Duration remaining = session.remaining();
        Duration maxHold = spec.maxHold();
        if (maxHold != null) {
            Duration rest = maxHold.minus(held());
            if (rest.compareTo(remaining) < 0) {
                remaining = rest;
            }
        }
        return remaining.isNegative() ? Duration.ZERO : remaining;
    }

    @Override
    public void onLost(Runnable callback) {
        lost.thenRunAsync(
                () -> {
                    try {
                        callback.run();
                    } catch (RuntimeException e) {
                        log.error("A callback for a lost lock failed; that changes nothing for the lock", e);
                    }
                },
                grants.callbacks());
    }

    @Override
    public CompletableFuture<Boolean> release() {
        LossReason over = whyOver();
        if (state.compareAndSet(State.ACTIVE, over == null ? State.RELEASED : State.LOST)) {
            grants.remove(this);
            if (!context.loop.execute(() -> releasedByOwner(over))) {
                releasedTooLate(over == null ? LossReason.CLOSED : over);
            }
        }
        return released.copy();
    }

    /** Why the lock is this caller's no more, though nobody has told it yet. */
    private @Nullable LossReason whyOver() {
        if (grants.isClosed()) {
            return LossReason.CLOSED;
        }
        if (!session.isValid()) {
            return LossReason.SESSION_LOST;
        }
        return owned().isZero() ? LossReason.MAX_HOLD : null;
    }

    private void releasedByOwner(@Nullable LossReason over) {
        heldUntilReleased = held();
        releases.released(this, over);
    }

    /** The engine has stopped in the middle of the release: the lock went with the session, the loop tells nobody. */
    private void releasedTooLate(LossReason reason) {
        tellLost(reason);
    }

    /** The release is done as far as its owner has to wait for it, and its end is heard of here and only here. */
    void releaseCompleted(@Nullable LossReason found) {
        LossReason over = found != null ? found : taken;
        if (over == null) {
            context.listener.released(spec, number, heldInAll());
            released.complete(true);
        } else {
            tellLost(over);
        }
    }

    /** Ends the grant against its owner's will. If its owner has just released it, that release finds what is said here. */
    void lose(LossReason reason) {
        if (state.compareAndSet(State.ACTIVE, State.LOST)) {
            grants.remove(this);
            tellLost(reason);
        } else if (reason == LossReason.TAKEN_AWAY) {
            taken = reason;
        }
    }

    private void tellLost(LossReason reason) {
        context.listener.lost(spec, number, heldInAll(), reason);
        lost.complete(null);
        released.complete(false);
    }

    private Duration heldInAll() {
        Duration held = heldUntilReleased;
        return held != null ? held : held();
    }
}
