package io.dynamolock.engine;

import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.LockKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One grant. Its end is decided once: by its owner's release or the loop's loss, whichever is first. Thread-safe. */
final class GrantedLock implements Grant {

    private static final Logger log = LoggerFactory.getLogger(GrantedLock.class);

    /** Told on the event loop when the owner has released a grant. */
    interface Releases {

        /** @param lossBefore why the lock was lost before, if it was */
        void released(GrantedLock grant, @Nullable LossReason lossBefore);
    }

    private final AtomicBoolean over = new AtomicBoolean();
    private final CompletableFuture<Boolean> released = new CompletableFuture<>();
    private final CompletableFuture<Void> lost = new CompletableFuture<>();
    private final EngineContext context;
    private final Grants grants;
    private final Releases releases;
    private final AcquireSpec spec;
    private final Session session;
    private final BlockId block;
    private final long number;
    private final long grantedNanos;
    private final Instant since;
    private volatile boolean fenced;
    private volatile @Nullable Duration heldUntilReleased;
    private volatile @Nullable LossReason toldLoss;
    private @Nullable LossReason taken;

    GrantedLock(
            EngineContext context,
            Grants grants,
            Releases releases,
            AcquireSpec spec,
            Session session,
            BlockId block,
            long number) {
        this.context = context;
        this.grants = grants;
        this.releases = releases;
        this.spec = spec;
        this.session = session;
        this.block = block;
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
    public Optional<LossReason> loss() {
        LossReason told = toldLoss;
        if (told != null || over.get()) {
            return Optional.ofNullable(told);
        }
        return Optional.ofNullable(whyLost());
    }

    @Override
    public Duration remainingValidity() {
        return over.get() || grants.isClosed() ? Duration.ZERO : owned();
    }

    private Duration owned() {
        Duration remaining = session.remaining();
        Duration maxHold = spec.maxHold();
        if (maxHold != null) {
            remaining = Collections.min(List.of(remaining, maxHold.minus(held())));
        }
        return remaining.isNegative() ? Duration.ZERO : remaining;
    }

    @Override
    public Optional<BlockId> fence() {
        // The mark comes first: a release that is not seen here sees the mark when the lock is passed on.
        fenced = true;
        return isValid() ? Optional.of(block) : Optional.empty();
    }

    /** Whether its owner may still write by a condition that its block is first. */
    boolean isFenced() {
        return fenced;
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
        LossReason lossBefore = whyLost();
        if (over.compareAndSet(false, true)) {
            grants.remove(this);
            heldUntilReleased = held();
            if (!context.loop.execute(() -> releases.released(this, lossBefore))) {
                // The engine has stopped meanwhile: the lock went with the session, and the loop tells nobody.
                tellLost(lossBefore == null ? LossReason.CLOSED : lossBefore);
            }
        }
        return released.copy();
    }

    /** Why the lock is this caller's no more, though nobody has told it yet. */
    private @Nullable LossReason whyLost() {
        if (grants.isClosed()) {
            return LossReason.CLOSED;
        }
        if (!session.isValid()) {
            return LossReason.SESSION_LOST;
        }
        return owned().isZero() ? LossReason.MAX_HOLD : null;
    }

    /** The release is done as far as its owner has to wait for it, and its end is heard of here and only here. */
    void releaseCompleted(@Nullable LossReason found) {
        LossReason loss = found != null ? found : taken;
        if (loss == null) {
            context.listener.released(spec, number, heldInAll());
            released.complete(true);
        } else {
            tellLost(loss);
        }
    }

    /** Ends the grant against its owner's will. If its owner has just released it, that release finds what is said here. */
    void lose(LossReason reason) {
        if (over.compareAndSet(false, true)) {
            grants.remove(this);
            tellLost(reason);
        } else if (reason == LossReason.TAKEN_AWAY) {
            taken = reason;
        }
    }

    private void tellLost(LossReason reason) {
        toldLoss = reason;
        context.listener.lost(spec, number, heldInAll(), reason);
        lost.complete(null);
        released.complete(false);
    }

    private Duration heldInAll() {
        Duration held = heldUntilReleased;
        return held != null ? held : held();
    }
}
