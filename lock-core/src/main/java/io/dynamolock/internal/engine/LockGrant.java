package io.dynamolock.internal.engine;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.loop.EventLoop;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.time.Durations;
import io.dynamolock.internal.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A grant as its caller has it in its hands; {@link Hold} is the same grant as {@link LockState} sees it.
 *
 * <p>One reference to an immutable {@link Fate} says whether the lock is held, released or lost. While the lock is
 * held, {@link #limit} changes the limits in it. The grant ends once. The only change after its end is from released to
 * lost, when the release finds out that it came too late.
 *
 * <p>The caller's side is thread-safe. What the caller wants of the lock goes to {@link LockState} as events, on the
 * event loop, and {@link #note} tells the caller what has become of it.
 */
final class LockGrant implements Grant, Effect.HoldVisitor {

    /**
     * Whether a grant is held, released or lost.
     *
     * @param limits how long it may and must be held; once it has ended, the limits at its end
     * @param heldFor for how long it was held in all; {@code null} as long as it is held
     * @param lost why it was lost; {@code null} if it is held or was released
     */
    private record Fate(
            HoldLimits limits,
            @Nullable Duration heldFor,
            @Nullable LossReason lost) {

        boolean isHeld() {
            return heldFor == null;
        }
    }

    /**
     * One callback of {@link #onExpiring}. It runs when the end of the grant's validity is near; if the end is then put
     * off, it runs again when the end next comes near. Lives on the event loop, except for {@link #tell}.
     */
    private final class ExpiryWatch {

        private final Duration before;
        private final Runnable news;
        private final AtomicBoolean told = new AtomicBoolean();
        private EventLoop.Timer timer = () -> {};

        ExpiryWatch(Duration before, Runnable news) {
            this.before = before;
            this.news = news;
        }

        /**
         * Tells that the end is near, if it is near. Otherwise sets the timer for the time when the end would be near:
         * by then, heartbeats or new limits may have put it off.
         */
        void check() {
            timer.cancel();
            Duration rest = remaining().minus(before);
            Duration maxHold = limits().maxHold();
            if (rest.compareTo(Duration.ZERO) > 0) {
                told.set(false);
            } else if (isValid() || loss().isPresent()) {
                // A grant that is neither valid nor lost is released, and the callback is not told of that.
                tell();
                // The end may be near because heartbeats are missing. If they come again, the end of the longest hold
                // still has to be told.
                if (maxHold != null && isValid()) {
                    rest = maxHold.minus(held()).minus(before);
                }
            }
            if (rest.compareTo(Duration.ZERO) > 0) {
                timer = loop.schedule(this::checkAgain, rest);
            }
        }

        private void checkAgain() {
            // A loss is told once.
            if (isValid()) {
                told.set(false);
            }
            check();
        }

        void tell() {
            if (told.compareAndSet(false, true)) {
                news.run();
            }
        }
    }

    private final Hold hold;
    private final Validity validity;
    private final TimeSource time;
    private final EventLoop loop;
    private final EngineListener listener;
    private final Duration leastValidity;
    private final Consumer<Event> happens;
    private final Instant since;
    private final AtomicReference<Fate> fate;
    private final CompletableFuture<Boolean> released = new CompletableFuture<>();
    private final CompletableFuture<LossReason> loss = new CompletableFuture<>();

    /** The entry by which the lock is held, as an item has last shown it. */
    private volatile Entry entry;

    /** The user's data, as this grant found it or has last written it. */
    private volatile LockData data;

    /** The id of the thread that has taken the grant; 0 for none. */
    private volatile long thread;

    /**
     * Whether the caller has taken the condition for fenced writes ({@link #fence}). Set once, by the caller's thread.
     */
    private volatile boolean isFenceGiven;

    // On the event loop

    /** The answers to {@link #putData} that are due. All get the same answer. Empty once the grant is over. */
    private final List<CompletableFuture<Boolean>> puts = new ArrayList<>(0);

    /** The answers to {@link #downgrade} that are due. Empty once the grant is over. */
    private final List<CompletableFuture<Boolean>> downgrades = new ArrayList<>(0);

    private final List<ExpiryWatch> watches = new ArrayList<>(0);

    /** The timer for the end of the longest hold; after an early release, for the end of the shortest hold. */
    private EventLoop.Timer end = () -> {};

    /** Whether the caller has released the lock before the end of its shortest hold. Set once. */
    private boolean isReleasedEarly;

    /** Whether the lock's state knows nothing of the hold any more. Set once. */
    private boolean isHoldEnded;

    /**
     * @param leastValidity the least of the validity that remains, just before a timely heartbeat renews it
     * @param happens hands an event to the lock's state; called on the event loop
     */
    LockGrant(
            Hold hold,
            Validity validity,
            TimeSource time,
            EventLoop loop,
            EngineListener listener,
            Duration leastValidity,
            Consumer<Event> happens) {
        this.hold = hold;
        this.entry = hold.entry().entry();
        this.validity = validity;
        this.time = time;
        this.loop = loop;
        this.listener = listener;
        this.leastValidity = leastValidity;
        this.happens = happens;
        this.since = time.now();
        this.data = hold.data();
        this.fate = new AtomicReference<>(
                new Fate(new HoldLimits(hold.spec().maxHold(), hold.spec().holdAtLeast()), null, null));
    }

    /** This grant as {@link LockState} sees it. */
    Hold hold() {
        return hold;
    }

    @Override
    public AcquireSpec spec() {
        return hold.spec();
    }

    @Override
    public Kind kind() {
        return entry.mode() == Mode.SHARED ? Kind.READ : hold.spec().kind();
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

    @Override
    public boolean isValid() {
        return !remaining().isZero();
    }

    @Override
    public Duration remaining() {
        Fate now = fate();
        Duration remaining = now.isHeld() ? validity.remaining() : Duration.ZERO;
        Duration maxHold = now.limits().maxHold();
        if (maxHold == null || remaining.isZero()) {
            return remaining;
        }
        Duration rest = maxHold.minus(heldSoFar());
        if (rest.isNegative() || rest.isZero()) {
            // From now on the grant is lost, so that a later change of the limits cannot bring it back.
            return lose(now, LossReason.MAX_HOLD) ? Duration.ZERO : remaining();
        }
        return Durations.shorter(rest, remaining);
    }

    @Override
    public Duration held() {
        Duration heldFor = fate().heldFor();
        return heldFor == null ? heldSoFar() : heldFor;
    }

    private Duration heldSoFar() {
        return time.moment().since(hold.grantedAt());
    }

    @Override
    public Optional<LossReason> loss() {
        boolean isValid = isValid();
        Fate now = fate();
        return Optional.ofNullable(now.isHeld() && !isValid ? LossReason.SESSION_LOST : now.lost());
    }

    private Fate fate() {
        return Objects.requireNonNull(fate.get());
    }

    /** The present limits; once the grant has ended, the limits at its end. */
    @Override
    public HoldLimits limits() {
        return fate().limits();
    }

    @Override
    public boolean limit(HoldLimits before, HoldLimits after) {
        Fate now = fate();
        return isValid()
                && now.isHeld()
                && now.limits().equals(before)
                && fate.compareAndSet(now, new Fate(after, null, null))
                && loop.execute(this::followLimits);
    }

    @Override
    public Optional<Entry> fence() {
        // The mark is set before the check. So a release by another thread either finds the mark, or has ended the
        // grant before the check, which then finds it invalid.
        isFenceGiven = true;
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

    @Override
    public CompletableFuture<Boolean> putData(LockData next) {
        return ask(puts, new Event.DataPutWanted(hold, next));
    }

    @Override
    public void onExpiring(Duration before, Runnable callback) {
        if (before.isNegative() || before.isZero() || before.compareTo(leastValidity) >= 0) {
            throw new IllegalArgumentException("onExpiring was given " + before
                    + ", but needs more than zero and less than "
                    + leastValidity
                    + ": so little may be left of a lock's validity while a heartbeat is on its way, though all is well."
                    + " Give less, or build the registry with a longer lease.");
        }
        ExpiryWatch watch = new ExpiryWatch(before, callback);
        onLost(watch::tell);
        loop.execute(() -> {
            watches.add(watch);
            followLimits();
        });
    }

    @Override
    public CompletableFuture<Boolean> downgrade() {
        if (hold.spec().kind() != Kind.WRITE) {
            throw new IllegalStateException("held as " + hold.spec().kind() + ", which cannot go on as a reader");
        }
        return ask(downgrades, new Event.DowngradeWanted(hold));
    }

    private CompletableFuture<Boolean> ask(List<CompletableFuture<Boolean>> asked, Event event) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        boolean isAsked = isValid()
                && loop.execute(() -> {
                    if (isHoldEnded) {
                        answer.complete(false);
                    } else {
                        asked.add(answer);
                        happens.accept(event);
                    }
                });
        if (!isAsked) {
            answer.complete(false);
        }
        return answer;
    }

    @Override
    public void onLost(Runnable callback) {
        loss.thenRun(callback);
    }

    @Override
    public CompletableFuture<Boolean> release(@Nullable LockData dataForNext) {
        return release(dataForNext, true, true);
    }

    @Override
    public CompletableFuture<Boolean> releaseUnawaited() {
        return release(null, true, false);
    }

    @Override
    public CompletableFuture<Boolean> giveBack() {
        return release(null, false, true);
    }

    private CompletableFuture<Boolean> release(
            @Nullable LockData dataForNext, boolean staysAtLeast, boolean isAwaited) {
        for (Fate now = fate(); now.isHeld(); now = fate()) {
            HoldLimits limits =
                    staysAtLeast ? now.limits() : new HoldLimits(now.limits().maxHold(), null);
            if (!isValid()) {
                lose(now, LossReason.SESSION_LOST);
            } else if (fate.compareAndSet(now, new Fate(limits, heldSoFar(), null))
                    && !loop.execute(() -> tellRelease(dataForNext, isAwaited))) {
                released.complete(false);
            }
        }
        return released.copy();
    }

    private void tellRelease(@Nullable LockData dataForNext, boolean isAwaited) {
        if (isHoldEnded) {
            // The lock was lost before the release, and the caller has been told.
            return;
        }
        boolean mayStay = !isAwaited
                && dataForNext == null
                && !isFenceGiven
                && limits().holdAtLeast() == null
                && hold.spec().kind() == Kind.EXCLUSIVE;
        Duration stay = mayStay ? hold.spec().release().stay() : Duration.ZERO;
        Event.Released release = new Event.Released(hold, dataForNext, isFenceGiven, new ReleaseTerms(isAwaited, stay));
        Duration rest = restOfShortestHold();
        if (rest.isZero()) {
            happens.accept(release);
        } else {
            released.complete(true);
            isReleasedEarly = true;
            happens.accept(new Event.ReleasedEarly(hold, dataForNext, isFenceGiven));
            end.cancel();
            end = loop.schedule(() -> happens.accept(release), rest);
        }
    }

    /** How much of the shortest hold is left; zero once it is over, or if there is none. */
    Duration restOfShortestHold() {
        Duration least = limits().holdAtLeast();
        return least == null ? Duration.ZERO : Durations.notNegative(least.minus(heldSoFar()));
    }

    /** Ends the grant as lost, unless it has ended. Thread-safe. */
    void lose(LossReason reason) {
        for (Fate now = fate(); now.isHeld(); now = fate()) {
            lose(now, reason);
        }
    }

    /** @return whether this call has made the grant a lost one; not if its state has changed meanwhile */
    private boolean lose(Fate before, LossReason reason) {
        Duration heldFor = before.heldFor() == null ? heldSoFar() : before.heldFor();
        if (!fate.compareAndSet(before, new Fate(before.limits(), heldFor, reason))) {
            return false;
        }
        listener.lost(spec(), ticket(), heldFor, reason);
        loop.execute(() -> {
            // When the engine closes, the lock may have to stay taken: closing itself decides about the entry.
            if (!isHoldEnded && !reason.isOwnWish()) {
                happens.accept(new Event.Forced(hold, reason));
            }
        });
        loss.complete(reason);
        released.complete(false);
        return true;
    }

    // On the event loop

    /** Sets the timers by the present limits. Called first when the caller has the grant, and after each change. */
    void followLimits() {
        // After a release, the timer is for the end of the shortest hold and must not be touched.
        if (!isHoldEnded && fate().isHeld()) {
            Duration maxHold = limits().maxHold();
            end.cancel();
            if (maxHold != null) {
                end = loop.schedule(this::isValid, maxHold.minus(heldSoFar()));
            }
            watches.forEach(ExpiryWatch::check);
        }
    }

    /**
     * Notes what has become of the hold, and tells the callers that wait for it.
     *
     * @return whether the hold is over
     */
    boolean note(Effect.OfHold effect) {
        effect.accept(this);
        return isHoldEnded;
    }

    @Override
    public void released(Effect.ReleaseDone effect) {
        holdEnded(effect.wasOwn() ? null : LossReason.TAKEN_AWAY);
    }

    @Override
    public void lost(Effect.Lost effect) {
        holdEnded(effect.reason());
    }

    @Override
    public void standsAs(Effect.StandsAs effect) {
        entry = effect.entry();
        if (entry.mode() == Mode.SHARED) {
            tell(downgrades, downgrade -> downgrade.complete(true));
        }
    }

    @Override
    public void dataWritten(Effect.DataWritten effect) {
        data = effect.data();
        tell(puts, put -> put.complete(true));
    }

    @Override
    public void dataRefused(Effect.DataRefused effect) {
        tell(puts, put -> put.completeExceptionally(effect.why()));
    }

    private static void tell(List<CompletableFuture<Boolean>> asked, Consumer<CompletableFuture<Boolean>> answer) {
        List<CompletableFuture<Boolean>> told = List.copyOf(asked);
        asked.clear();
        told.forEach(answer);
    }

    /**
     * The hold is over. After an early release, its caller has had its answer, and the hold ends as released in any
     * case.
     *
     * @param lost why the lock was lost; {@code null} if the caller has released it
     */
    void holdEnded(@Nullable LossReason lost) {
        isHoldEnded = true;
        end.cancel();
        watches.forEach(watch -> watch.timer.cancel());
        tell(puts, put -> put.complete(false));
        tell(downgrades, downgrade -> downgrade.complete(false));
        if (lost == null || isReleasedEarly) {
            listener.released(spec(), ticket(), held());
            released.complete(true);
        } else {
            for (Fate now = fate(); now.lost() == null; now = fate()) {
                lose(now, lost);
            }
            released.complete(false);
        }
    }
}
