package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.time.Deadline;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Says which waits end without a grant, and how: a waiter that has no hope is refused at once, and a waiter whose time
 * is over is told why it did not get the lock. Changes nothing. Lives on the event loop.
 *
 * <p><b>What ends a wait.</b> This class decides on the first two:
 *
 * <ul>
 *   <li>a refusal, because the caller does not wait, or needs an item and there is none, or wants another number of
 *       permits than the lock has ({@link #refusal})
 *   <li>the end of the caller's time, or up to a second later if the caller is owed an answer ({@link #overdue})
 *   <li>a grant ({@code LockState.grant})
 *   <li>an eviction by an operator ({@code LockState.evictWaiting})
 *   <li>a failure of the store that is for good ({@code LockState.endIfForGood}), or a bug in a step of this lock
 *       ({@code Engine.forgetAfterBug})
 *   <li>the caller itself, when it gives up ({@link Event.Abandoned}).
 * </ul>
 *
 * <p>The loss of the session ends no wait: callers go on waiting under the next session. {@link Engine#close} ends none
 * either: it hands the waiting callers back to {@code PausableEngine}, which hands them to the next engine, or ends
 * their waits if there is to be none.
 */
final class EndOfWaits {

    /** If a caller is owed an answer when its time is over, its wait goes on for at most this long. */
    private static final Duration MOST_LATE = Duration.ofSeconds(1);

    private final EngineSettings settings;
    private final KnownItem known;
    private final OwnEntries own;
    private final WaitingLine line;
    private final Holds holds;
    private final Calls calls;
    private final Peers peers;

    EndOfWaits(
            EngineSettings settings,
            KnownItem known,
            OwnEntries own,
            WaitingLine line,
            Holds holds,
            Calls calls,
            Peers peers) {
        this.settings = settings;
        this.known = known;
        this.own = own;
        this.line = line;
        this.holds = holds;
        this.calls = calls;
        this.peers = peers;
    }

    // Waiters that have no hope

    /**
     * How the wait of a {@linkplain WaitingCaller#isRefusable() refusable} waiter ends before its time; {@code null} if
     * the wait goes on. A caller that does not wait is refused as soon as it is certain that it does not get the lock.
     * Any caller is refused if it needs an item and there is none, or wants another number of permits than the lock
     * has.
     */
    @Nullable
    AcquireOutcome refusal(WaitingCaller waiter, Now now) {
        LockItem item = known.item();
        if (waiter.hasSeenItem() && waiter.spec().onlyIfExists() && !item.exists() && !isItemBeingMade()) {
            return new AcquireOutcome.NotFound();
        }
        if (waiter.hasSeenItem() && item.hasOtherPermitsThan(waiter.spec().permits())) {
            return new AcquireOutcome.OtherPermits(item.permits());
        }
        return waiter.isTry() && hasNoHope(waiter, now) ? timedOut(waiter, now) : null;
    }

    /** Whether an edit is under way that makes the item, for another caller here. */
    private boolean isItemBeingMade() {
        SentEdit edit = calls.editUnderWay();
        return edit != null && !edit.appended().isEmpty() && !edit.edit().mustExist();
    }

    /** Whether a caller that does not wait will certainly not get the lock. */
    private boolean hasNoHope(WaitingCaller waiter, Now now) {
        List<WaitingCaller> earlier = line.stillWaitingBefore(waiter);
        boolean goTogether = earlier.isEmpty() || canHoldBeside(known.item().queue(), earlier, waiter);
        if (!goTogether || !holds.allowAnother(waiter.mode())) {
            return true;
        }
        if (!waiter.hasSeenItem() || calls.isEditUnderWay()) {
            return false;
        }
        List<Entry> queue = known.item().queue();
        List<Entry> staying = queue.stream().filter(entry -> stays(entry, now)).toList();
        // If another process lives and waits, that process takes out the dead ahead of it, and gets the lock before
        // this waiter.
        boolean othersWait = queue.stream().skip(known.item().holders()).anyMatch(entry -> stays(entry, now));
        return othersWait || !canHoldBeside(staying, List.of(), waiter);
    }

    /**
     * Whether the entry will certainly not be taken out soon. An own entry by which nobody has the lock does not count
     * as staying: it serves waiters here, which {@link #hasNoHope} looks at, or is taken out by the next edit.
     */
    private boolean stays(Entry entry, Now now) {
        if (entry instanceof Entry.Kept kept) {
            return !kept.isOver(known.storeTime());
        }
        return own.isOwn(entry)
                ? holds.current().stream().anyMatch(hold -> hold.entry().entry().equals(entry))
                : peers.isAlive(Objects.requireNonNull(entry.session()), now.moment());
    }

    /** Whether the waiter could hold the lock beside these entries, and beside these waiters, which came before it. */
    boolean canHoldBeside(List<Entry> queue, List<WaitingCaller> earlier, WaitingCaller waiter) {
        if (queue.isEmpty() && earlier.isEmpty()) {
            return true;
        }
        Mode mode = waiter.mode();
        if (mode == Mode.EXCLUSIVE) {
            return false;
        }
        int most = mode == Mode.PERMIT ? waiter.spec().permits() - earlier.size() : settings.maxQueue();
        return queue.size() < most
                && queue.stream().allMatch(entry -> entry.mode() == mode)
                && earlier.stream().allMatch(other -> other.mode() == mode);
    }

    // Waiters whose time is over

    /**
     * How the wait ends of a waiter whose time is over.
     *
     * @return {@code null} if the wait goes on, at most until {@link #latestEnd}, because the caller is owed an answer
     */
    @Nullable
    AcquireOutcome overdue(WaitingCaller waiter, Now now) {
        StoreFailure failure = calls.failure();
        boolean allowedByHolders = holds.allowAnother(waiter.mode());
        boolean isAnswered = waiter.isAnswered() || !allowedByHolders;
        // Nothing is known to be in the waiter's way, and the edit under way may bring it the lock.
        boolean mayBeGranted = calls.isEditUnderWay()
                && allowedByHolders
                && canHoldBeside(known.item().queue(), List.of(), waiter);
        if (!latestEnd(waiter).isPast(now.moment())) {
            boolean isOwedAnswer = waiter.isTry() || failure == null && (mayBeGranted || !isAnswered);
            if (isOwedAnswer) {
                return null;
            }
        }
        Duration waited = waiter.waited(now.moment());
        if (failure != null) {
            return new AcquireOutcome.Failed(waited, failure);
        }
        boolean isStoreSilent = calls.silence(now.moment()).compareTo(MOST_LATE) >= 0;
        if (!isAnswered || mayBeGranted && isStoreSilent) {
            return new AcquireOutcome.Failed(waited, noAnswer(waited));
        }
        return timedOut(waiter, now);
    }

    /** The latest time at which the wait ends of a waiter whose time is over. */
    Deadline latestEnd(WaitingCaller waiter) {
        return Deadline.at(waiter.arrivedAt().plus(waiter.spec().waitLimit().plus(MOST_LATE)));
    }

    private static StoreFailure noAnswer(Duration waited) {
        return new StoreFailure(
                StoreFailure.Kind.UNAVAILABLE,
                "The store has not answered for " + waited.toMillis() + " ms: check the network to it",
                null);
    }

    private AcquireOutcome timedOut(WaitingCaller waiter, Now now) {
        return new AcquireOutcome.TimedOut(
                waiter.waited(now.moment()), ahead(waiter), holder(now), unreadableSessionAhead());
    }

    private @Nullable StoreFailure unreadableSessionAhead() {
        LockItem item = known.item();
        return item.queue().subList(0, own.firstIn(item, 0)).stream()
                .map(Entry::session)
                .filter(Objects::nonNull)
                .map(peers::unreadable)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /**
     * How many callers are ahead of the waiter: callers of other processes whose slots are ahead of this process's
     * first entry, holders here, and waiters here.
     */
    long ahead(WaitingCaller waiter) {
        LockItem item = known.item();
        return item.slotsBefore(own.firstIn(item, 0)) + holds.count() + line.waitingBefore(waiter);
    }

    private @Nullable Holder holder(Now now) {
        Entry first = known.front().first();
        SessionId session = first == null ? null : first.session();
        if (session == null) {
            return null;
        }
        String owner = Objects.equals(session, own.session()) ? settings.owner() : peers.owner(session);
        return new Holder(owner, now.wall().minus(known.frontUnchangedFor(now.moment())));
    }
}
