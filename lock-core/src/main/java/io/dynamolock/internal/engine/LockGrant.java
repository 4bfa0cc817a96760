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
 * A lock as its caller has it in its hands; {@link Hold} is the same as the lock's state sees it.
 *
 * <p>Whether the lock is held, released or lost is one reference, which changes at most once, but for a release that
 * finds out that it came too late. The caller's side is thread-safe. What the caller wants of the lock goes to the
 * lock's state as events, on the event loop, and {@link #note} tells what has become of it.
 */
final class LockGrant implements Grant, Effect.HoldVisitor {

    /**
     * What a grant is: held, released or lost.
     *
     * @param limits those at the end, once it has ended
     * @param held for how long, once it has ended
     * @param lost why, if it is lost
     */
    private record State(
            HoldLimits limits,
            @Nullable Duration held,
            @Nullable LossReason lost) {

        boolean isHeld() {
            return held == null;
        }
    }

    /**
     * Tells that the validity of the grant runs out: once, and again if its owner has put the end off meanwhile. Lives
     * on the event loop, but for {@link #tell}.
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

        /** Each heartbeat puts the end off, and so may the owner: looks again when it would be near without any. */
        void check() {
            timer.cancel();
            Duration rest = remaining().minus(before);
            Duration maxHold = limits().maxHold();
            if (rest.compareTo(Duration.ZERO) > 0) {
                told.set(false);
            } else if (isValid() || loss().isPresent()) {
                // If it is neither, it is released, though its end may not be written yet.
                tell();
                // If that is because heartbeats are missing, and they come again, the end of the longest hold is still
                // to be told.
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
    private final AtomicReference<State> state;
    private final CompletableFuture<Boolean> released = new CompletableFuture<>();
    private final CompletableFuture<LossReason> loss = new CompletableFuture<>();

    /** The entry by which the lock is held, as an item has shown it last. */
    private volatile Entry entry;

    /** The user's data, as this grant found it or has written it last. */
    private volatile LockData data;

    /** The thread that has taken the grant, by its id; 0 for none. */
    private volatile long thread;

    /**
     * Whether the caller has asked for the condition that makes its transactions safe. Set once, by the caller's
     * thread.
     */
    private volatile boolean isFenceGiven;

    // On the event loop

    /** Callers that wait until their data is written: all are told at once. Empty once this is over. */
    private final List<CompletableFuture<Boolean>> puts = new ArrayList<>(0);

    /** Callers that wait until the grant goes on as a reader. Empty once this is over. */
    private final List<CompletableFuture<Boolean>> downgrades = new ArrayList<>(0);

    private final List<ExpiryWatch> watches = new ArrayList<>(0);

    /** The timer for the end of the longest hold; after an early release, for the end of the shortest. */
    private EventLoop.Timer end = () -> {};

    /** Whether the caller has released the lock before the end of its shortest hold. Set once. */
    private boolean isReleasedEarly;

    /** Whether the lock's state knows nothing of the hold any more. Set once. */
    private boolean isOver;

    /**
     * @param leastValidity so much of the validity is left before each heartbeat, if all is well
     * @param happens told on the event loop what happens to the lock
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
        this.state = new AtomicReference<>(
                new State(new HoldLimits(hold.spec().maxHold(), hold.spec().holdAtLeast()), null, null));
    }

    /** The same as the lock's state sees it. */
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
        State now = state();
        Duration remaining = now.isHeld() ? validity.remaining() : Duration.ZERO;
        Duration maxHold = now.limits().maxHold();
        if (maxHold == null || remaining.isZero()) {
            return remaining;
        }
        Duration rest = maxHold.minus(heldSoFar());
        if (rest.isNegative() || rest.isZero()) {
            // Once anybody has seen that it is over, it stays over, whatever is said later.
            return lose(now, LossReason.MAX_HOLD) ? Duration.ZERO : remaining();
        }
        return Durations.shorter(rest, remaining);
    }

    @Override
    public Duration held() {
        Duration held = state().held();
        return held == null ? heldSoFar() : held;
    }

    private Duration heldSoFar() {
        return time.moment().since(hold.grantedAt());
    }

    @Override
    public Optional<LossReason> loss() {
        boolean isValid = isValid();
        State now = state();
        return Optional.ofNullable(now.isHeld() && !isValid ? LossReason.SESSION_LOST : now.lost());
    }

    private State state() {
        return Objects.requireNonNull(state.get());
    }

    /** Once it is over, those at its end. */
    @Override
    public HoldLimits limits() {
        return state().limits();
    }

    @Override
    public boolean limit(HoldLimits before, HoldLimits after) {
        State now = state();
        return isValid()
                && now.isHeld()
                && now.limits().equals(before)
                && state.compareAndSet(now, new State(after, null, null))
                && loop.execute(this::followLimits);
    }

    @Override
    public Optional<Entry> fence() {
        // The mark comes first, so that a release by another thread either ends the grant before it is looked at here,
        // or finds the mark.
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
                    if (isOver) {
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
        return release(dataForNext, true);
    }

    @Override
    public CompletableFuture<Boolean> giveBack() {
        return release(null, false);
    }

    private CompletableFuture<Boolean> release(@Nullable LockData dataForNext, boolean staysAtLeast) {
        for (State now = state(); now.isHeld(); now = state()) {
            HoldLimits limits =
                    staysAtLeast ? now.limits() : new HoldLimits(now.limits().maxHold(), null);
            if (!isValid()) {
                lose(now, LossReason.SESSION_LOST);
            } else if (state.compareAndSet(now, new State(limits, heldSoFar(), null))
                    && !loop.execute(() -> tellRelease(dataForNext))) {
                released.complete(false);
            }
        }
        return released.copy();
    }

    private void tellRelease(@Nullable LockData dataForNext) {
        if (isOver) {
            // A loss that came before has told the caller already.
            return;
        }
        Event.Released release = new Event.Released(hold, dataForNext, isFenceGiven);
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

    /** How much is left of the shortest hold; zero once it is over. */
    Duration restOfShortestHold() {
        Duration least = limits().holdAtLeast();
        return least == null ? Duration.ZERO : Durations.notNegative(least.minus(heldSoFar()));
    }

    /** Ends it against its owner's will. */
    void lose(LossReason reason) {
        for (State now = state(); now.isHeld(); now = state()) {
            lose(now, reason);
        }
    }

    /** @return whether it has become lost by that */
    private boolean lose(State before, LossReason reason) {
        Duration held = before.held() == null ? heldSoFar() : before.held();
        if (!state.compareAndSet(before, new State(before.limits(), held, reason))) {
            return false;
        }
        listener.lost(spec(), ticket(), held, reason);
        loop.execute(() -> {
            // A lock that is lost because the engine closes may have to stay taken.
            if (!isOver && !reason.isOwnWish()) {
                happens.accept(new Event.Forced(hold, reason));
            }
        });
        loss.complete(reason);
        released.complete(false);
        return true;
    }

    // On the event loop

    /** Follows the present limits; to be called once the caller has the grant. */
    void followLimits() {
        // Once the lock is released, the timer is for the end of the shortest hold.
        if (!isOver && state().isHeld()) {
            Duration maxHold = limits().maxHold();
            end.cancel();
            if (maxHold != null) {
                end = loop.schedule(this::isValid, maxHold.minus(heldSoFar()));
            }
            watches.forEach(ExpiryWatch::check);
        }
    }

    /**
     * Tells callers what has become of the hold.
     *
     * @return whether it is over
     */
    boolean note(Effect.OfHold effect) {
        effect.accept(this);
        return isOver;
    }

    @Override
    public void released(Effect.ReleaseDone effect) {
        over(effect.wasOwn() ? null : LossReason.TAKEN_AWAY);
    }

    @Override
    public void lost(Effect.Lost effect) {
        over(effect.reason());
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
     * The lock is not its caller's any more.
     *
     * @param lost why, if that was not by its release, as far as its caller waits for that
     */
    void over(@Nullable LossReason lost) {
        isOver = true;
        end.cancel();
        watches.forEach(watch -> watch.timer.cancel());
        tell(puts, put -> put.complete(false));
        tell(downgrades, downgrade -> downgrade.complete(false));
        if (lost == null || isReleasedEarly) {
            listener.released(spec(), ticket(), held());
            released.complete(true);
        } else {
            for (State now = state(); now.lost() == null; now = state()) {
                lose(now, lost);
            }
            released.complete(false);
        }
    }
}
