package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.time.Deadline;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
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
     * How the wait of a waiter ends before its time; {@code null} if the wait goes on. A caller that does not wait is
     * refused as soon as it is certain that it does not get the lock. Any caller is refused if it needs an item and
     * there is none, or wants another number of permits than the lock has.
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
        if (isKeptOutHere(waiter)) {
            return true;
        }
        return waiter.hasSeenItem()
                && isKeptOutByQueue(waiter.mode(), waiter.spec().permits(), now);
    }

    /**
     * Whether callers of this process certainly keep a caller that does not wait from the lock. If so, they keep all
     * later callers of its {@link Lane} from the lock.
     */
    private boolean isKeptOutHere(WaitingCaller waiter) {
        WaitingLine.Earlier earlier = line.stillWaitingBefore(waiter);
        boolean goTogether = earlier.count() == 0
                || canHoldBeside(
                        known.item().queue(),
                        earlier,
                        waiter.mode(),
                        waiter.spec().permits());
        return !goTogether || !holds.allowAnother(waiter.mode());
    }

    /** Whether the queue certainly keeps those from the lock that do not wait, if they have seen the item. */
    private boolean isKeptOutByQueue(Mode mode, int permits, Now now) {
        if (calls.isEditUnderWay()) {
            return false;
        }
        List<Entry> queue = known.item().queue();
        Map<Entry, OwnEntry> ownShown = own.shown();
        List<Entry> staying =
                queue.stream().filter(entry -> stays(entry, ownShown, now)).toList();
        // If another process lives and waits, that process takes out the dead ahead of it, and gets the lock before
        // this waiter.
        boolean othersWait = queue.stream().skip(known.item().holders()).anyMatch(entry -> stays(entry, ownShown, now));
        return othersWait || !canHoldBeside(staying, WaitingLine.Earlier.NOBODY, mode, permits);
    }

    /**
     * Whether the entry will certainly not be taken out soon. An own entry by which nobody has the lock does not count
     * as staying: it serves waiters here, which {@link #hasNoHope} looks at, or is taken out by the next edit.
     */
    private boolean stays(Entry entry, Map<Entry, OwnEntry> ownShown, Now now) {
        if (entry instanceof Entry.Kept kept) {
            return !kept.isOver(known.storeTime());
        }
        OwnEntry ownEntry = ownShown.get(entry);
        return own.isOwn(entry)
                ? ownEntry != null && holds.areBy(ownEntry)
                : peers.isAlive(Objects.requireNonNull(entry.session()), now.moment());
    }

    /** Whether such a waiter could hold the lock beside these entries, and beside waiters that came before it. */
    boolean canHoldBeside(List<Entry> queue, WaitingLine.Earlier earlier, Mode mode, int permits) {
        if (queue.isEmpty() && earlier.count() == 0) {
            return true;
        }
        if (mode == Mode.EXCLUSIVE) {
            return false;
        }
        int most = mode == Mode.PERMIT ? permits - earlier.count() : settings.maxQueue();
        return queue.size() < most && queue.stream().allMatch(entry -> entry.mode() == mode) && earlier.areInSameMode();
    }

    /**
     * The waiters for whom {@link #refusal} has to be asked, in the order of arrival; for all others it would say that
     * the wait goes on. Most of these waits end.
     */
    List<WaitingCaller> perhapsRefused(Now now) {
        LockItem item = known.item();
        SortedSet<WaitingCaller> waiters = new TreeSet<>(Lane.BY_ARRIVAL);
        for (Lane lane : line.lanes()) {
            if (!item.exists()) {
                waiters.addAll(lane.informedNeedingItem());
            }
            if (lane.wantsOtherPermitsThan(item)) {
                waiters.addAll(lane.informedForPermits());
            }
            for (Iterator<WaitingCaller> last = lane.tries().descendingIterator(); last.hasNext(); ) {
                WaitingCaller waiter = last.next();
                if (!isKeptOutHere(waiter)) {
                    break;
                }
                waiters.add(waiter);
            }
            if (!lane.informedTries().isEmpty() && isKeptOutByQueue(lane.mode(), lane.permits(), now)) {
                waiters.addAll(lane.informedTries());
            }
        }
        return List.copyOf(waiters);
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
        boolean mayBeGranted = mayBeGranted(waiter.mode(), waiter.spec().permits());
        if (!latestEnd(waiter).isPast(now.moment())
                && isOwedAnswer(waiter.mode(), waiter.spec().permits(), waiter.isTry(), waiter.isAnswered())) {
            return null;
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

    /** Whether nothing is known to be in the way of such a waiter, and the edit under way may bring it the lock. */
    private boolean mayBeGranted(Mode mode, int permits) {
        return calls.isEditUnderWay()
                && holds.allowAnother(mode)
                && canHoldBeside(known.item().queue(), WaitingLine.Earlier.NOBODY, mode, permits);
    }

    /** Whether such a waiter is owed an answer when its time is over. */
    private boolean isOwedAnswer(Mode mode, int permits, boolean isTry, boolean isAnswered) {
        return isTry
                || calls.failure() == null && (mayBeGranted(mode, permits) || !isAnswered && holds.allowAnother(mode));
    }

    /**
     * The waiters for whom {@link #overdue} has to be asked, in the order of arrival. All others whose time is over are
     * owed an answer.
     */
    List<WaitingCaller> perhapsOver(Now now) {
        SortedSet<WaitingCaller> waiters = new TreeSet<>(Lane.BY_ARRIVAL);
        for (Lane lane : line.lanes()) {
            for (Lane.Overdue sort : Lane.Overdue.values()) {
                NavigableSet<WaitingCaller> overdue = lane.overdue(sort);
                if (!overdue.isEmpty()) {
                    boolean areOwed = isOwedAnswer(
                            lane.mode(), lane.permits(), sort == Lane.Overdue.TRY, sort == Lane.Overdue.ANSWERED);
                    for (WaitingCaller waiter : overdue) {
                        if (areOwed && !latestEnd(waiter).isPast(now.moment())) {
                            break;
                        }
                        waiters.add(waiter);
                    }
                }
            }
        }
        return List.copyOf(waiters);
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
