package io.dynamolock.engine;

import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.LockData;
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

    /** The user's data in the lock's item; used on the event loop. */
    interface Data {

        /** As the caller that is granted the lock now finds it. */
        LockData known();

        /** @param result as of {@link Grant#putData} */
        void put(GrantedLock grant, LockData data, CompletableFuture<Boolean> result);
    }

    private final AtomicBoolean over = new AtomicBoolean();
    private final CompletableFuture<Boolean> released = new CompletableFuture<>();
    private final CompletableFuture<Void> lost = new CompletableFuture<>();
    private final EngineContext context;
    private final Grants grants;
    private final Releases releases;
    private final Data stored;
    private final AcquireSpec spec;
    private final Session session;
    private final BlockId block;
    private final long number;
    private final long grantedNanos;
    private final Instant since;
    private volatile boolean fenced;
    private volatile LockData data;
    private volatile @Nullable LockData toLeave;
    private volatile @Nullable Duration heldUntilReleased;
    private @Nullable LossReason taken;

    /** Writes of data that may still land; belongs to the event loop. */
    private int openPuts;

    GrantedLock(
            EngineContext context,
            Grants grants,
            Releases releases,
            Data stored,
            AcquireSpec spec,
            Session session,
            BlockId block,
            long number) {
        this.context = context;
        this.grants = grants;
        this.releases = releases;
        this.stored = stored;
        this.data = stored.known();
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
        return fenced || openPuts > 0;
    }

    @Override
    public LockData data() {
        return data;
    }

    @Override
    public CompletableFuture<Boolean> putData(LockData next) {
        CompletableFuture<Boolean> written = new CompletableFuture<>();
        if (!isValid() || !context.loop.execute(() -> stored.put(this, next, written))) {
            written.complete(false);
        }
        return written;
    }

    /** A write of its data is sent. */
    void puts() {
        openPuts++;
    }

    /** That write cannot land any more. */
    void putEnded() {
        openPuts--;
    }

    void hasPut(LockData written) {
        data = written;
    }

    /** What its owner leaves to the next by its release; {@code null} for nothing new. */
    @Nullable
    LockData dataToLeave() {
        return toLeave;
    }

    @Override
    public void onExpiring(Duration before, Runnable callback) {
        Duration most = context.settings.leastValidity();
        if (before.isNegative() || before.isZero() || before.compareTo(most) >= 0) {
            throw new IllegalArgumentException("onExpiring was given " + before
                    + ", but needs more than zero and less than "
                    + most + ": so little is left of a lock's validity just before each heartbeat, though all is well."
                    + " Give less, or build the registry with a longer lease.");
        }
        ExpiryWatch watch = new ExpiryWatch(context.loop, this, before, () -> tell(callback));
        lost.thenRun(watch::tell);
        released.thenRun(watch::end);
        context.loop.execute(watch::check);
    }

    private void tell(Runnable callback) {
        grants.callbacks().execute(guarded(callback));
    }

    boolean isOver() {
        return over.get();
    }

    @Override
    public void onLost(Runnable callback) {
        lost.thenRunAsync(guarded(callback), grants.callbacks());
    }

    private static Runnable guarded(Runnable callback) {
        return () -> {
            try {
                callback.run();
            } catch (RuntimeException e) {
                log.error("A callback for a lock failed; that changes nothing for the lock", e);
            }
        };
    }

    @Override
    public CompletableFuture<Boolean> release() {
        return end(null);
    }

    @Override
    public CompletableFuture<Boolean> release(LockData left) {
        return end(left);
    }

    private CompletableFuture<Boolean> end(@Nullable LockData left) {
        LossReason lossBefore = whyLost();
        if (over.compareAndSet(false, true)) {
            toLeave = lossBefore == null ? left : null;
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
        context.listener.lost(spec, number, heldInAll(), reason);
        lost.complete(null);
        released.complete(false);
    }

    private Duration heldInAll() {
        Duration held = heldUntilReleased;
        return held != null ? held : held();
    }
}
