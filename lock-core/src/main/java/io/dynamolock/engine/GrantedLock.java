package io.dynamolock.engine;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.HoldLimits;
import io.dynamolock.internal.engine.Kind;
import io.dynamolock.internal.engine.LossReason;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.protocol.BlockId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** One grant. Its end is decided once: by its owner's release or the loop's loss, whichever is first. Thread-safe. */
final class GrantedLock implements Grant {

    private final AtomicBoolean over = new AtomicBoolean();
    private final CompletableFuture<Boolean> released = new CompletableFuture<>();
    private final CompletableFuture<Void> lost = new CompletableFuture<>();
    private final EngineContext context;
    private final Grants grants;
    private final Releases releases;
    private final StoredData stored;
    private final GrantData data;
    private final AcquireSpec spec;
    private final ChangingLimits limits;
    private final Tenure tenure;
    private final BlockId block;
    private final long number;
    private final int joinedAs;
    private volatile boolean fenced;
    private volatile @Nullable Duration heldUntilOver;
    private volatile @Nullable LossReason toldLoss;
    private @Nullable LossReason taken;

    GrantedLock(
            EngineContext context,
            Grants grants,
            Releases releases,
            StoredData stored,
            AcquireSpec spec,
            Session session,
            BlockId block,
            long number,
            int joinedAs) {
        this.context = context;
        this.grants = grants;
        this.releases = releases;
        this.stored = stored;
        this.data = new GrantData(stored.known());
        this.spec = spec;
        this.limits = new ChangingLimits(new HoldLimits(spec.maxHold(), spec.holdAtLeast()));
        this.limits.bind(() -> releases.limited(this));
        this.tenure = new Tenure(context, grants, session, limits);
        this.block = block;
        this.number = number;
        this.joinedAs = joinedAs;
    }

    /** By which the owner of another goes on as a reader, holding since then. */
    private GrantedLock(GrantedLock before, Releases releases, BlockId block) {
        this.context = before.context;
        this.grants = before.grants;
        this.releases = releases;
        this.stored = before.stored;
        this.data = before.data;
        this.spec = before.spec.as(Kind.READ);
        this.limits = before.limits;
        this.tenure = before.tenure;
        this.block = block;
        this.number = before.number;
        this.joinedAs = before.joinedAs;
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
        return tenure.since();
    }

    @Override
    public Kind kind() {
        return spec.kind();
    }

    @Override
    public BlockId block() {
        return block;
    }

    @Override
    public String name() {
        return spec.name();
    }

    @Override
    public String caller() {
        return spec.caller();
    }

    AcquireSpec spec() {
        return spec;
    }

    /** Its caller's {@link Caller#joinedAs()}. */
    int joinedAs() {
        return joinedAs;
    }

    Duration held() {
        return tenure.held();
    }

    @Override
    public boolean isValid() {
        return !remainingValidity().isZero();
    }

    @Override
    public Optional<LossReason> loss() {
        LossReason told = toldLoss;
        return Optional.ofNullable(told != null || over.get() ? told : tenure.whyLost());
    }

    @Override
    public Duration remainingValidity() {
        return over.get() ? Duration.ZERO : tenure.remaining();
    }

    /** Zero from the moment on in which it was first seen to be over; {@code null} without a limit. */
    @Nullable
    Duration restOfLongestHold() {
        return tenure.restOfLongestHold();
    }

    @Override
    public HoldLimits limits() {
        return limits.now();
    }

    @Override
    public boolean limit(HoldLimits before, HoldLimits after) {
        return isValid() && limits.change(before, after) && context.loop.execute(limits::tell);
    }

    @Override
    public Optional<BlockId> fence() {
        // The mark comes first: a release that is not seen here sees the mark when the lock is passed on.
        fenced = true;
        return isValid() ? Optional.of(block) : Optional.empty();
    }

    /** Whether its owner may still write by a condition that its block is first. */
    boolean isFenced() {
        return fenced || data.mayStillLand();
    }

    @Override
    public LockData data() {
        return data.known();
    }

    GrantData ownData() {
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

    @Override
    public void onExpiring(Duration before, Runnable callback) {
        ExpiryWatch watch = ExpiryWatch.of(context, this, before, () -> grants.tell(callback));
        lost.thenRun(watch::tell);
        released.thenRun(watch::end);
        limits.onChange(watch::check);
        context.loop.execute(watch::check);
    }

    boolean isOver() {
        return over.get();
    }

    @Override
    public CompletableFuture<Optional<Grant>> downgrade() {
        if (spec.kind() != Kind.WRITE) {
            throw new IllegalStateException("held as " + spec.kind() + ", which cannot go on as a reader");
        }
        CompletableFuture<Optional<Grant>> result = new CompletableFuture<>();
        // The answer may never come when the engine stops.
        lost.thenRun(() -> result.complete(Optional.empty()));
        if (!context.loop.execute(() -> releases.downgrade(this, result))) {
            result.complete(Optional.empty());
        }
        return result.copy();
    }

    /** The grant by which its owner goes on, if it is still valid; this one is over then. */
    @Nullable
    GrantedLock goesOn(Releases reader, BlockId as) {
        GrantedLock next = new GrantedLock(this, reader, as);
        if (!next.isValid() || !over.compareAndSet(false, true)) {
            return null;
        }
        limits.bind(() -> reader.limited(next));
        heldUntilOver = held();
        grants.goesOn(this, next);
        released.complete(true);
        return next;
    }

    @Override
    public void onLost(Runnable callback) {
        lost.thenRun(() -> grants.tell(callback));
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
        LossReason lossBefore = tenure.whyLost();
        if (over.compareAndSet(false, true)) {
            data.leave(lossBefore == null ? left : null);
            grants.remove(this);
            limits.fix();
            heldUntilOver = held();
            if (!context.loop.execute(() -> releases.released(this, lossBefore))) {
                // The engine has stopped meanwhile: the lock went with the session, and the loop tells nobody.
                tellLost(lossBefore == null ? LossReason.CLOSED : lossBefore);
            }
        }
        return released.copy();
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

    /**
     * Ends the grant against its owner's will. If its owner has just released it, that release finds what is said here.
     *
     * @return whether this was its end
     */
    boolean lose(LossReason reason) {
        if (over.compareAndSet(false, true)) {
            grants.remove(this);
            heldUntilOver = held();
            tellLost(reason);
            return true;
        }
        if (reason == LossReason.TAKEN_AWAY) {
            taken = reason;
        }
        return false;
    }

    private void tellLost(LossReason reason) {
        toldLoss = reason;
        context.listener.lost(spec, number, heldInAll(), reason);
        lost.complete(null);
        released.complete(false);
    }

    @Override
    public Duration heldInAll() {
        Duration held = heldUntilOver;
        return held != null ? held : held();
    }
}
