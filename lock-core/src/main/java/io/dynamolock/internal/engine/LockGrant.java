package io.dynamolock.internal.engine;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A grant of this process. Its whole state is one reference that changes at most once. Thread-safe. */
final class LockGrant implements Grant {

    /** What a grant is; only HELD ever becomes another, but for a release that finds out that it came too late. */
    private sealed interface State {

        record Held(HoldLimits limits) implements State {}

        record Released(HoldLimits limits, Duration held) implements State {}

        record Lost(LossReason reason, HoldLimits limits, Duration held) implements State {}

        /** Those at the end, once it has ended. */
        HoldLimits limits();
    }

    /** Where the owner's wishes go. Each is handed to the event loop; false if that has stopped. */
    interface Owner {

        boolean released(LockGrant grant, @Nullable LockData left);

        boolean limited(LockGrant grant);

        boolean lost(LockGrant grant, LossReason reason);

        boolean put(LockGrant grant, LockData data, CompletableFuture<Boolean> written);

        boolean downgraded(LockGrant grant, CompletableFuture<Boolean> isReader);

        boolean expiring(LockGrant grant, Duration before, Runnable callback);

        /** So much of the validity is left before each heartbeat, if all is well. */
        Duration leastValidity();
    }

    private final LockKey key;
    private final AcquireSpec spec;
    private final Hold hold;
    private final Validity validity;
    private final TimeSource time;
    private final Owner owner;
    private final Instant since;
    private final AtomicReference<State> state;
    private final CompletableFuture<Boolean> released = new CompletableFuture<>();
    private final CompletableFuture<LossReason> loss = new CompletableFuture<>();
    private volatile Entry entry;
    private volatile LockData data;
    private volatile boolean isReader;
    private volatile long thread;

    LockGrant(LockKey key, Hold hold, Validity validity, TimeSource time, Owner owner) {
        this.key = key;
        this.spec = hold.spec();
        this.hold = hold;
        this.entry = hold.entry().entry();
        this.validity = validity;
        this.time = time;
        this.owner = owner;
        this.since = time.now();
        this.data = hold.data();
        this.isReader = spec.kind() == Kind.READ;
        this.state = new AtomicReference<>(new State.Held(new HoldLimits(spec.maxHold(), spec.holdAtLeast())));
    }

    @Override
    public LockKey key() {
        return key;
    }

    AcquireSpec spec() {
        return spec;
    }

    @Override
    public String name() {
        return spec.name();
    }

    @Override
    public String caller() {
        return spec.caller();
    }

    @Override
    public Kind kind() {
        return isReader ? Kind.READ : spec.kind();
    }

    Hold hold() {
        return hold;
    }

    @Override
    public long ticket() {
        return hold.ticket();
    }

    @Override
    public Instant since() {
        return since;
    }

    @Override
    public void takenBy(long id) {
        thread = id;
    }

    @Override
    public long takenBy() {
        return thread;
    }

    void goesOnAsReader() {
        isReader = true;
    }

    @Override
    public boolean isValid() {
        return !remaining().isZero();
    }

    @Override
    public Duration remaining() {
        if (!(state.get() instanceof State.Held held)) {
            return Duration.ZERO;
        }
        Duration remaining = validity.remaining();
        Duration maxHold = held.limits().maxHold();
        if (maxHold == null || remaining.isZero()) {
            return remaining;
        }
        Duration rest = maxHold.minus(heldSoFar());
        if (rest.isNegative() || rest.isZero()) {
            // Once anybody has seen that it is over, it stays over, whatever is said later.
            return lose(held, LossReason.MAX_HOLD) ? Duration.ZERO : remaining();
        }
        return rest.compareTo(remaining) < 0 ? rest : remaining;
    }

    @Override
    public Duration held() {
        State now = state.get();
        if (now instanceof State.Released over) {
            return over.held();
        }
        return now instanceof State.Lost over ? over.held() : heldSoFar();
    }

    private Duration heldSoFar() {
        return Duration.ofNanos(time.nanos() - hold.grantedNanos());
    }

    @Override
    public Optional<LossReason> loss() {
        State now = state.get();
        if (now instanceof State.Lost lost) {
            return Optional.of(lost.reason());
        }
        return now instanceof State.Held && !isValid()
                ? Optional.of(state.get() instanceof State.Lost lost ? lost.reason() : LossReason.SESSION_LOST)
                : Optional.empty();
    }

    /** Once it is over, those at its end. */
    @Override
    public HoldLimits limits() {
        return Objects.requireNonNull(state.get()).limits();
    }

    /** Whether it has neither been released nor is known to be lost. */
    boolean isHeld() {
        return state.get() instanceof State.Held;
    }

    @Override
    public boolean limit(HoldLimits before, HoldLimits after) {
        State now = state.get();
        return isValid()
                && now instanceof State.Held held
                && held.limits().equals(before)
                && state.compareAndSet(now, new State.Held(after))
                && owner.limited(this);
    }

    @Override
    public Optional<Entry> fence() {
        // First, so that a release by another thread either ends the grant before it is looked at here, or finds the
        // mark.
        hold.giveFence();
        return isValid() ? Optional.of(entry) : Optional.empty();
    }

    @Override
    public Entry entry() {
        return entry;
    }

    @Override
    public LockData data() {
        return data;
    }

    void standsAs(Entry now) {
        entry = now;
    }

    void wrote(LockData written) {
        data = written;
    }

    @Override
    public CompletableFuture<Boolean> putData(LockData next) {
        CompletableFuture<Boolean> written = new CompletableFuture<>();
        if (!isValid() || !owner.put(this, next, written)) {
            written.complete(false);
        }
        return written;
    }

    @Override
    public void onExpiring(Duration before, Runnable callback) {
        Duration most = owner.leastValidity();
        if (before.isNegative() || before.isZero() || before.compareTo(most) >= 0) {
            throw new IllegalArgumentException("onExpiring was given " + before
                    + ", but needs more than zero and less than "
                    + most
                    + ": so little may be left of a lock's validity while a heartbeat is on its way, though all is well."
                    + " Give less, or build the registry with a longer lease.");
        }
        owner.expiring(this, before, callback);
    }

    @Override
    public CompletableFuture<Boolean> downgrade() {
        if (spec.kind() != Kind.WRITE) {
            throw new IllegalStateException("held as " + spec.kind() + ", which cannot go on as a reader");
        }
        CompletableFuture<Boolean> reads = new CompletableFuture<>();
        if (!isValid() || !owner.downgraded(this, reads)) {
            reads.complete(false);
        }
        return reads;
    }

    @Override
    public void onLost(Runnable callback) {
        loss.thenRun(callback);
    }

    @Override
    public CompletableFuture<Boolean> release(@Nullable LockData left) {
        return release(left, true);
    }

    @Override
    public CompletableFuture<Boolean> giveBack() {
        return release(null, false);
    }

    private CompletableFuture<Boolean> release(@Nullable LockData left, boolean staysAtLeast) {
        boolean isOver = false;
        while (!isOver && state.get() instanceof State.Held now) {
            isOver = isValid() ? release(now, left, staysAtLeast) : lose(now, LossReason.SESSION_LOST);
        }
        return released.copy();
    }

    /** @return whether that was its end */
    private boolean release(State.Held now, @Nullable LockData left, boolean staysAtLeast) {
        HoldLimits limits =
                staysAtLeast ? now.limits() : new HoldLimits(now.limits().maxHold(), null);
        if (!state.compareAndSet(now, new State.Released(limits, heldSoFar()))) {
            return false;
        }
        if (!owner.released(this, left)) {
            released.complete(false);
        }
        return true;
    }

    /** The release is done as far as its owner waits for it. */
    void releaseDone() {
        released.complete(true);
    }

    /** The release has come too late: the lock was lost before. */
    void releasedTooLate(LossReason reason) {
        State now = state.get();
        if (now instanceof State.Released over
                && state.compareAndSet(now, new State.Lost(reason, over.limits(), over.held()))) {
            loss.complete(reason);
        }
        released.complete(false);
    }

    /** Ends it against its owner's will. @return whether that was its end */
    boolean lose(LossReason reason) {
        return state.get() instanceof State.Held held && lose(held, reason);
    }

    private boolean lose(State before, LossReason reason) {
        if (!state.compareAndSet(before, new State.Lost(reason, before.limits(), heldSoFar()))) {
            return false;
        }
        owner.lost(this, reason);
        loss.complete(reason);
        released.complete(false);
        return true;
    }
}
