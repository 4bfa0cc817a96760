package io.dynamolock.internal.engine;

import io.dynamolock.data.LockData;
import io.dynamolock.engine.AcquireSpec;
import io.dynamolock.engine.HoldLimits;
import io.dynamolock.engine.Kind;
import io.dynamolock.engine.LossReason;
import io.dynamolock.engine.TimeSource;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.protocol.LockKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One grant of a lock to one caller. It ends once: by its owner's release, or by a loss, whichever is first. Thread-safe.
 */
public final class Grant {

    /** What a grant is; only HELD ever becomes another. */
    private sealed interface State {

        record Held(HoldLimits limits) implements State {}

        record Released(HoldLimits limits, Duration held) implements State {}

        record Lost(LossReason reason, HoldLimits limits, Duration held) implements State {}

        /** Those at the end, once it has ended. */
        HoldLimits limits();
    }

    /** Where the owner's wishes go. Each is handed to the event loop; false if that has stopped. */
    interface Owner {

        boolean released(Grant grant, @Nullable LockData left);

        boolean limited(Grant grant);

        boolean lost(Grant grant, LossReason reason);

        boolean put(Grant grant, LockData data, CompletableFuture<Boolean> written);

        boolean downgraded(Grant grant, CompletableFuture<Boolean> isReader);
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

    Grant(LockKey key, Hold hold, Validity validity, TimeSource time, Owner owner) {
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

    public LockKey key() {
        return key;
    }

    public AcquireSpec spec() {
        return spec;
    }

    Hold hold() {
        return hold;
    }

    /** Greater than that of every earlier grant of the lock, unless both hold it beside each other. */
    public long ticket() {
        return hold.ticket();
    }

    /** The wall clock at the grant. */
    public Instant since() {
        return since;
    }

    /** Whether it is held for reading, from the beginning or by now. */
    public boolean isReader() {
        return isReader;
    }

    void goesOnAsReader() {
        isReader = true;
    }

    /** Whether the lock is certainly still this caller's, by both clocks. */
    public boolean isValid() {
        return !remaining().isZero();
    }

    /** How long the lock stays this caller's if no further heartbeat gets through; zero if it is not. */
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

    /** How long it has been held in all; stands still once it is over. */
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

    /** Why it is lost, if it is; empty while it is valid, and after its owner's release in time. */
    public Optional<LossReason> loss() {
        State now = state.get();
        if (now instanceof State.Lost lost) {
            return Optional.of(lost.reason());
        }
        return now instanceof State.Held && !isValid()
                ? Optional.of(state.get() instanceof State.Lost lost ? lost.reason() : LossReason.SESSION_LOST)
                : Optional.empty();
    }

    /** For how long the lock may and must be held; empty if it is over. */
    public Optional<HoldLimits> limits() {
        return state.get() instanceof State.Held held ? Optional.of(held.limits()) : Optional.empty();
    }

    /** For how long it was to be held at least when it ended, or is to be; {@code null} for no time. */
    @Nullable
    Duration least() {
        return Objects.requireNonNull(state.get()).limits().holdAtLeast();
    }

    /**
     * Changes that. Where the new longest hold is over already, the lock is lost by it.
     *
     * @param before what {@link #limits()} has said
     * @return whether it is changed: not if the grant is not valid, or if the limits were changed since
     */
    public boolean limit(HoldLimits before, HoldLimits after) {
        State now = state.get();
        return isValid()
                && now instanceof State.Held held
                && held.limits().equals(before)
                && state.compareAndSet(now, new State.Held(after))
                && owner.limited(this);
    }

    /**
     * The entry that stands in the queue as long as this caller holds the lock, for a condition that it does. From the first call on, no
     * later caller is granted the lock by this entry.
     *
     * @return empty if the grant is not valid any more
     */
    public Optional<Entry> fence() {
        // First, so that a release by another thread either ends the grant before it is looked at here, or finds the
        // mark.
        hold.giveFence();
        return isValid() ? Optional.of(entry) : Optional.empty();
    }

    /** The entry by which it has the lock; another one after the lock's item was written for this holder. */
    public Entry entry() {
        return entry;
    }

    /** The user's data, as this grant found it or has written it last. */
    public LockData data() {
        return data;
    }

    void standsAs(Entry now) {
        entry = now;
    }

    void wrote(LockData written) {
        data = written;
    }

    /** Writes the user's data. Completes on the event loop with whether it is written: if not, the grant was over before. */
    public CompletableFuture<Boolean> putData(LockData next) {
        CompletableFuture<Boolean> written = new CompletableFuture<>();
        if (!isValid() || !owner.put(this, next, written)) {
            written.complete(false);
        }
        return written;
    }

    /** Goes on as a reader, with the same ticket, in one write. Completes on the event loop with whether it does. */
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

    /** Completes when the lock is lost before it was released, on the event loop or on the thread that finds it lost. */
    public CompletableFuture<LossReason> lost() {
        return loss.copy();
    }

    /**
     * Releases the lock; idempotent. Completes on the event loop with whether it was still this caller's, when the release has been
     * written, or has failed once (what is left is then done in the background), or need not be written.
     *
     * @param left what the next holder finds; {@code null} to leave the data as it is
     */
    public CompletableFuture<Boolean> release(@Nullable LockData left) {
        boolean isInTime = isValid();
        if (state.get() instanceof State.Held now) {
            if (isInTime) {
                release(now, now.limits(), left);
            } else {
                lose(now, LossReason.SESSION_LOST);
            }
        }
        return released.copy();
    }

    /** Releases a lock under which nothing has run: it is not held any longer. */
    void giveBack() {
        if (state.get() instanceof State.Held now) {
            release(now, new HoldLimits(now.limits().maxHold(), null), null);
        }
    }

    private void release(State.Held now, HoldLimits limits, @Nullable LockData left) {
        if (state.compareAndSet(now, new State.Released(limits, heldSoFar())) && !owner.released(this, left)) {
            released.complete(false);
        }
    }

    /** The release is done as far as its owner waits for it. */
    void releaseDone() {
        released.complete(true);
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
