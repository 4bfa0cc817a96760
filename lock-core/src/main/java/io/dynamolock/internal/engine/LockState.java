package io.dynamolock.internal.engine;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.protocol.Edit;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.FailureDetection;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.protocol.Notice;
import io.dynamolock.internal.protocol.PollingInterval;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.StoreFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All that a process knows and wants of one lock.
 *
 * <p><b>The life of a lock.</b> An event comes in: a caller wants the lock, a holder releases it, the store has answered, a time has come.
 * The state notes what happened, and then decides once, in the order of {@link #on}: who has the lock now, who waits in vain, which
 * releases are done, what to write, whom to watch, what to read. Whatever has to wait for a time asks to be woken then. What is to be
 * done goes out as effects, and nothing of it comes back before the event is over.
 *
 * <p><b>The item is the truth.</b> The lock's item has a queue of entries, and those at its front hold the lock. Own entries are those that
 * bear this process's session. Of each, an {@link OwnEntry} says what only this process knows: how many of its slots are used, and
 * whether an edit was sent that changes it. An own entry of which nothing is known is an orphan and is taken out.
 *
 * <p><b>Waiters are not bound to entries.</b> They stand in one list, in the order in which they came. An entry that holds the lock serves
 * the first of them that it may ({@link OwnEntry#mayServe}). Waiters that no entry can serve need slots, so entries are appended for them.
 *
 * <p><b>A turn</b> is the time in which entries of this process, its run, hold the lock. While it lasts, the lock passes from waiter to
 * waiter without a call, unless a former holder has left a fence or data; but permits, and writers that may become readers, have entries
 * for themselves. The holders are compatible with each other. An entry of which a removal was sent grants nobody any more. One of which a
 * reissue was sent grants nobody until that is settled. Writers use the run in order: while the fence of a former holder is still good, or
 * its data may still be written, they wait until an edit has ended that. When nobody holds the lock by the run and none of its slots can
 * serve anybody, it is taken out; in a turn that goes on, finished entries are, now and then.
 *
 * <p><b>Writes.</b> {@link #write} says when one may be sent: the session is valid (while anybody waits, one is wanted), no other edit of
 * this lock is under way (while a release waits, one that has had no answer for a while is given up, once), and the pause after a failure
 * is over. {@link NextWrite} alone says which, or when it is to be asked again.
 *
 * <p><b>A call whose answer is lost is not continued.</b> It fails at its timeout; if it is an edit, releases that wait for it are told
 * that they are done. Unless the failure says that an edit never lands, it may have landed, or may land later: {@link #send} has noted what
 * was sent. After a pause {@link NextWrite} is asked again, and repeats removals; an entry goes by whichever of the numbers that were sent
 * for it an item shows. What became of an append shows in a consistent read, a call timeout later. A read is made again. A refused edit
 * never lands; its answer is an item as any other, and so is a late one.
 *
 * <p><b>Reads</b> are made while a caller that waits stands behind others, as often as {@link PollingInterval} says, but not in the
 * process's own turn, unless some wait to share the lock beside those who have it. Besides, a read finds out what became of a lost append,
 * looks for orphans when a notice asks for that, and tells callers that do not wait how the lock is, where no edit is sent for them. A
 * leader reads once a lease. Otherwise nothing is read, nor while an edit or another read is under way, in the pause after a failure,
 * without a session, or in closing when no entry is left.
 *
 * <p><b>The dead.</b> Processes that wait watch the sessions ahead of them ({@link #watch}). When some have expired, the process that has
 * no living process waiting ahead of it sends an edit that takes their entries out; once the same entry has been first for a lease, any
 * process that waits behind them does ({@link FailureDetection#toTakeOut}). While nobody wants the lock, nobody takes them out.
 *
 * <p><b>A wait ends</b> with a grant, with its time, or up to a second later if it is owed an answer (as timed out, or as failed if the
 * store did not answer), when it has no hope (its caller does not wait, or needs an item and there is none, or wants another number of
 * permits than the lock has), by an eviction, with a failure for good, by its caller, or when the engine stops, which tells its callers
 * itself. A lost session ends none: they go on under the next.
 *
 * <p>Lives on the event loop.
 */
class LockState {

    /** While a release waits, an edit without an answer for so long is given up; the next one is waited for. */
    private static final Duration PATIENCE_OF_RELEASE = Duration.ofMillis(250);

    /** After a failure the next call waits for twice as long as after the one before, up to this. */
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    /** The same when the lock's item was busy with a transaction: whoever holds the lock is at work, and done soon. */
    private static final Duration LONGEST_PAUSE_OF_CONFLICT = Duration.ofMillis(40);

    /** For so long a wait that is over goes on for the one answer that it is owed. */
    private static final Duration MOST_LATE = Duration.ofSeconds(1);

    private final LockKey key;
    private final EngineSettings settings;
    private final Peers peers;
    private final LongSupplier base;

    private @Nullable SessionId session;
    private LongSupplier nextNumber = () -> 0;

    /** The newest; absent if none was seen. */
    private LockItem item = LockItem.ABSENT;

    private long itemArrived;

    /**
     * The greatest that was seen, be it of an item that was removed since: what is still under way may show that one. Less than zero if
     * none was.
     */
    private long greatestTail = -1;

    private boolean readConsistently;
    private Seen seen;
    private final List<OwnEntry> newlyShown = new ArrayList<>();
    private boolean lookForOrphans;
    private long lastWritten;

    private final List<OwnEntry> entries = new ArrayList<>();
    private final Set<Waiter> waiters = new LinkedHashSet<>();
    /** Those of them who may be refused before their time is over. */
    private final Set<Waiter> refusable = new LinkedHashSet<>();

    private final List<Hold> holds = new ArrayList<>();
    private final Set<Hold> releasing = new LinkedHashSet<>();
    /** The ticket of the last grant here. */
    private long lastGranted;

    private boolean closing;

    private @Nullable SentEdit editing;
    /** Whether the edit before this one was given up without an answer, so that this one is waited for. */
    private boolean hasGivenUp;

    private @Nullable SentRead reading;
    private @Nullable StoreFailure failure;
    private final Backoff backoff;
    /** When the last call was sent that has shown an item. */
    private long lastHeard;

    private Set<SessionId> watched = Set.of();

    private final ReturningCallers returning = new ReturningCallers();
    private @Nullable Long lastGaveUp;

    private Duration meanCall = Duration.ZERO;
    private Duration meanSection = Duration.ZERO;
    private Duration perEntry = Duration.ZERO;

    private long wakeAt = Long.MAX_VALUE;
    private List<Effect> effects = new ArrayList<>();

    /**
     * What has been seen at the front of the queue. It outlives those who want the lock, so that callers who never wait for long find
     * out, too, that nothing moves.
     *
     * @param first the entry there
     * @param since when it was first seen there, by the monotonic clock
     * @param asked when a process in the way was asked last whether it knows of its entry, if that was while this entry was first
     * @param questions how many were asked
     */
    record Seen(@Nullable Entry first, long since, long asked, int questions) {

        static final Seen NOTHING = new Seen(null, 0, 0, 0);
    }

    /**
     * @param seen what was seen of the lock before
     * @param base what the tail of a new item is to start from: the clock, and more than any tail that was seen
     */
    LockState(LockKey key, EngineSettings settings, Seen seen, Peers peers, LongSupplier base) {
        this.key = key;
        this.seen = seen;
        this.settings = settings;
        this.peers = peers;
        this.base = base;
        this.backoff = new Backoff(settings.polling().min());
    }

    /** Notes what has happened, and decides. @return what is to be done now, in this order */
    List<Effect> on(List<Event> events, Now now) {
        effects = new ArrayList<>();
        wakeAt = Long.MAX_VALUE;
        events.forEach(event -> note(event, now));
        grant(now);
        tellQueued();
        endHopeless(now);
        endOverdue(now);
        endReleases(now);
        write(now);
        watch(now);
        read(now);
        return effects;
    }

    /** When it wants to be woken if nothing happens before, by the monotonic clock; {@link Long#MAX_VALUE} for never. */
    long wakeAt() {
        return wakeAt;
    }

    /** Whether there is nothing left to know or to want of this lock. */
    boolean isIdle() {
        return Stream.of(waiters, holds, releasing, entries).allMatch(Collection::isEmpty)
                && editing == null
                && reading == null;
    }

    Seen seen() {
        return seen;
    }

    // What has happened

    private void note(Event event, Now now) {
        if (event instanceof Event.Arrived arrived) {
            arrived(arrived.waiter(), now);
        } else if (event instanceof Event.Released released) {
            released(released.hold(), now);
        } else if (event instanceof Event.Edited edited) {
            edited(edited, now);
        } else if (event instanceof Event.Read read) {
            answered(read.sent().equals(reading) ? now.nanos() - read.sent().nanos() : 0);
            reading = read.sent().equals(reading) ? null : reading;
            see(read.item(), read.sent().consistent(), read.sent().nanos(), now);
        } else if (event instanceof Event.WaitOver over) {
            over.waiter().isOverdue = true;
        } else if (event instanceof Event.Left left) {
            if (waiters.contains(left.waiter())) {
                end(left.waiter(), new AcquireOutcome.Abandoned(), now);
            }
        } else if (event instanceof Event.Forced forced) {
            force(forced.hold(), forced.reason());
        } else if (event instanceof Event.DataPut put) {
            put(put.hold(), put.data());
        } else if (event instanceof Event.Downgraded downgraded) {
            downgrade(downgraded.hold());
        } else if (event instanceof Event.EditFailed failed) {
            editFailed(failed.sent(), failed.failure(), now);
        } else if (event instanceof Event.ReadFailed failed) {
            reading = null;
            if (failed.failure().kind() == StoreFailure.Kind.UNREADABLE) {
                // Nobody may ever be able to read which of them have landed. Those that have are orphans.
                entries.removeIf(entry -> entry.hasSurelyLanded(failed.sent().nanos()));
            }
            failed(failed.failure(), now);
        } else if (event instanceof Event.SessionBegan began) {
            session = began.id();
            nextNumber = began.nextNumber();
            answered(0);
        } else if (event instanceof Event.SessionOver) {
            sessionOver();
        } else if (event instanceof Event.NoSession none) {
            failed(none.failure(), now);
        } else if (event instanceof Event.Notified notified) {
            notified(notified.notice(), now);
        } else if (event instanceof Event.Closing stop) {
            close(stop);
        }
    }

    private void arrived(Waiter waiter, Now now) {
        waiters.add(waiter);
        if (waiter.isRefusable()) {
            refusable.add(waiter);
        }
        returning.arrived(now.nanos(), meanCall);
    }

    private void released(Hold hold, Now now) {
        if (!holds.contains(hold)) {
            effects.add(new Effect.ReleaseDone(hold, false));
            return;
        }
        letGo(hold);
        meanSection = mean(meanSection, Duration.ofNanos(now.nanos() - hold.grantedNanos));
        if (hold.isFenceGiven) {
            hold.entry.fence();
        }
        releasing.add(hold);
    }

    /** Those who have just released the lock, and those whose release is being written, if callers come back as a rule. */
    private int comingBack(Now now) {
        boolean areExclusive = releasing.stream().allMatch(hold -> hold.entry.mode() == Mode.EXCLUSIVE);
        return areExclusive && !closing ? returning.expected(releasing.size(), now.nanos(), meanCall) : 0;
    }

    private void put(Hold hold, LockData data) {
        boolean isWritten = data.equals(item.data()) && !hold.entry.isBeingReissued();
        hold.put = isWritten ? null : data;
        if (isWritten && holds.contains(hold)) {
            effects.add(new Effect.DataWritten(hold, data));
        }
    }

    private void downgrade(Hold hold) {
        hold.isTurning = true;
        if (hold.entry.mode() == Mode.SHARED && holds.contains(hold)) {
            effects.add(new Effect.StandsAs(hold, hold.entry.entry()));
        }
    }

    private void force(Hold hold, LossReason reason) {
        if (holds.contains(hold)) {
            if (hold.entry.mode() == Mode.EXCLUSIVE) {
                hold.entry.fence();
            }
            lost(hold, reason);
        }
    }

    private void lost(Hold hold, LossReason reason) {
        letGo(hold);
        effects.add(new Effect.Lost(hold, reason));
    }

    /** What it leaves is there only once its release is told, and nothing that ends it comes between the two. */
    private void letGo(Hold hold) {
        holds.remove(hold);
        hold.entry.left = hold.left == null ? hold.entry.left : hold.left;
    }

    private void edited(Event.Edited edited, Now now) {
        SentEdit sent = edited.sent();
        answered(now.nanos() - sent.nanos());
        ended(sent, !edited.isApplied(), now);
        if (edited.isApplied()) {
            // If one stands there all the same, a network has delivered its append twice: that one is an orphan.
            takenOutBy(sent).forEach(this::gone);
        }
        see(edited.item(), true, sent.nanos(), now);
    }

    private void editFailed(SentEdit sent, StoreFailure why, Now now) {
        // One that was given up before says nothing of what was sent since.
        if (ended(sent, !why.mayHaveTakenEffect(), now)) {
            if (why.kind() == StoreFailure.Kind.CONFLICTED) {
                backoff.begin(LONGEST_PAUSE_OF_CONFLICT, now.nanos());
                waiters.forEach(waiter -> waiter.hear(sent.nanos(), false));
            } else {
                failed(why, now);
            }
            endAll(releasing);
        }
    }

    /** @return whether it is the edit that is waited for */
    @SuppressWarnings("ReferenceEquality") // It is about this edit, not about one like it.
    private boolean ended(SentEdit sent, boolean neverLands, Now now) {
        long before = now.nanos() + settings.callTimeout().toNanos() + 1;
        sent.appended().forEach(entry -> entry.appendEnded(before));
        if (neverLands) {
            neverLands(sent);
        }
        boolean isWaitedFor = editing == sent;
        editing = isWaitedFor ? null : editing;
        hasGivenUp &= !isWaitedFor;
        return isWaitedFor;
    }

    private void neverLands(SentEdit sent) {
        entries.removeIf(
                entry -> entry.stage() == OwnEntry.Stage.SENT && sent.appended().contains(entry));
        Edit.Reissue reissue = sent.edit().reissue();
        if (reissue != null) {
            entries.forEach(entry -> entry.reissueRefused(reissue.to()));
        }
        takenOutBy(sent).forEach(OwnEntry::removalRefused);
    }

    private List<OwnEntry> takenOutBy(SentEdit sent) {
        return entries.stream()
                .filter(entry -> sent.edit().removed().containsValue(entry.entry()))
                .toList();
    }

    /** All is well again. The call has taken so long; zero is not counted. */
    private void answered(long tookNanos) {
        failure = null;
        backoff.end();
        meanCall = tookNanos == 0 ? meanCall : mean(meanCall, Duration.ofNanos(tookNanos));
    }

    private void failed(StoreFailure why, Now now) {
        failure = why;
        backoff.begin(LONGEST_PAUSE, now.nanos());
        if (why.isForGood()) {
            holds.stream().filter(hold -> hold.put != null).forEach(hold -> {
                hold.put = null;
                effects.add(new Effect.DataRefused(hold, why));
            });
            List.copyOf(waiters)
                    .forEach(waiter -> end(waiter, new AcquireOutcome.Failed(waiter.waited(now.nanos()), why), now));
        }
    }

    private void sessionOver() {
        List.copyOf(holds).forEach(hold -> lost(hold, LossReason.SESSION_LOST));
        session = null;
        entries.clear();
        editing = null;
        hasGivenUp = false;
        endAll(releasing);
    }

    private void notified(Notice notice, Now now) {
        OwnEntry known = entries.stream()
                .filter(entry -> entry.isCalled(notice.number()))
                .findFirst()
                .orElse(null);
        boolean isAlone = known != null && known.mode() == Mode.EXCLUSIVE;
        if (known == null || notice.wish() == Notice.Wish.CONFIRM && !isAlone) {
            // If that is an orphan, or there is one beside it, the item tells.
            readConsistently = true;
            lookForOrphans = true;
        } else if (notice.wish() == Notice.Wish.GIVE_UP) {
            List<Hold> by = Hold.by(known, holds);
            by.forEach(hold -> evicted(hold, now));
            // Of an entry by which somebody had the lock, only those who had it were meant.
            if (by.isEmpty() && !known.isUsed()) {
                evicted(known, now);
            }
        }
    }

    private void evicted(Hold hold, Now now) {
        if (hold.isKept) {
            released(hold, now);
        } else {
            force(hold, LossReason.EVICTED);
            hold.entry.fence();
        }
    }

    /**
     * It is given up with those whom it would serve. If no item has shown it yet, it stands all the same, and so do those of its
     * edit.
     */
    private void evicted(OwnEntry entry, Now now) {
        List<OwnEntry> inOrder = entries.stream()
                .filter(own -> own.sentNanos == entry.sentNanos || own.stage() != OwnEntry.Stage.SENT)
                .sorted(Comparator.comparingInt(own -> own.indexIn(item) < 0 ? Integer.MAX_VALUE : own.indexIn(item)))
                .toList();
        List<Waiter> its =
                NextWrite.served(inOrder, new LinkedHashSet<>(waiters), item).getOrDefault(entry, List.of());
        its.forEach(waiter -> end(waiter, new AcquireOutcome.Evicted(waiter.waited(now.nanos())), now));
        entry.dropUnused();
    }

    private void close(Event.Closing stop) {
        closing = true;
        waiters.clear();
        refusable.clear();
        // Nobody comes any more, neither for its slots nor for spare ones.
        entries.forEach(OwnEntry::dropUnused);
        List.copyOf(holds).forEach(hold -> lost(hold, stop.reason()));
        stop.kept().forEach((hold, until) -> hold.entry.keepUntil(until));
    }

    /** An item has come. An older one says only that the store answers; after one that differs, the next read is consistent. */
    private void see(LockItem shown, boolean isConsistent, long sentNanos, Now now) {
        lastHeard = sentNanos;
        waiters.forEach(waiter -> waiter.hear(sentNanos, isConsistent));
        boolean isAfter = isConsistent && sentNanos - itemArrived >= 0;
        if (shown.tail() <= greatestTail && !isAfter) {
            readConsistently |= !shown.equals(item);
            return;
        }
        readConsistently &= !isConsistent;
        lookForOrphans &= !isConsistent;
        noteFirst(shown, now);
        lastWritten = item.tail() != shown.tail() ? sentNanos : lastWritten;
        item = shown;
        greatestTail = Math.max(greatestTail, shown.tail());
        itemArrived = now.nanos();
        for (OwnEntry entry : List.copyOf(entries)) {
            int index = entry.indexIn(shown);
            if (index >= 0) {
                if (entry.stage() == OwnEntry.Stage.SENT) {
                    newlyShown.add(entry);
                }
                shown(entry, shown.queue().get(index));
            } else if (entry.stage() != OwnEntry.Stage.SENT || isConsistent && entry.hasSurelyLanded(sentNanos)) {
                gone(entry);
            }
        }
    }

    /** Those who have got a slot, but not the lock with it. */
    private void tellQueued() {
        for (OwnEntry entry : newlyShown) {
            int index = entry.indexIn(item);
            int left = entry.slotsLeft();
            for (Waiter waiter : waiters) {
                if (left > 0 && entry.mayServe(waiter, item) && !waiter.isQueued) {
                    waiter.isQueued = true;
                    int ahead = item.slotsBefore(index) + entry.entry().slots() - left;
                    effects.add(new Effect.Queued(waiter, item.lastTicket(index) - left + 1, ahead));
                    left--;
                }
            }
        }
        newlyShown.clear();
    }

    private void noteFirst(LockItem shown, Now now) {
        Entry next = shown.first();
        if (!Objects.equals(next, seen.first())) {
            if (item.first() != null) {
                int place = next == null ? -1 : item.indexOf(next);
                int gone = place < 0 ? item.queue().size() : place;
                perEntry = PollingInterval.perEntry(perEntry, sameFirst(now), Math.max(1, gone));
            }
            seen = new Seen(next, now.nanos(), now.nanos(), seen.questions());
        }
    }

    private void shown(OwnEntry entry, Entry shown) {
        LockData written = entry.shown(shown);
        for (Hold hold : Hold.by(entry, holds)) {
            // It may have been given up, and has landed all the same.
            if (written != null && (hold.put == null || written.equals(hold.put))) {
                hold.put = null;
                effects.add(new Effect.DataWritten(hold, written));
            }
            effects.add(new Effect.StandsAs(hold, entry.entry()));
        }
    }

    private void gone(OwnEntry entry) {
        entries.remove(entry);
        Hold.by(entry, holds).forEach(hold -> lost(hold, LossReason.TAKEN_AWAY));
    }

    // Who has the lock

    private void grant(Now now) {
        // Whoever closes has no waiters.
        if (waiters.isEmpty() || session == null || !now.sessionIsValid()) {
            return;
        }
        Map<Entry, OwnEntry> known = OwnEntry.known(entries);
        int holders = item.holders();
        for (int i = 0; i < holders; i++) {
            Entry entry = item.queue().get(i);
            OwnEntry own = known.get(entry);
            if (entry.mode() == Mode.EXCLUSIVE && (own == null || own.keepsNextWaiting())) {
                return;
            }
            if (own != null) {
                grantBy(own, i, now);
            }
        }
    }

    private void grantBy(OwnEntry own, int index, Now now) {
        while (own.canServeNow() && goesWithHolders(own.mode())) {
            Waiter waiter = waiters.stream()
                    .filter(next -> own.mayServe(next, item))
                    .findFirst()
                    .orElse(null);
            if (waiter == null) {
                return;
            }
            own.use();
            long ticket = Math.max(lastGranted + 1, item.lastTicket(index) - own.slotsLeft());
            lastGranted = ticket;
            if (waiter.spec.kind().needsEntryForItself()) {
                own.dropUnused();
            }
            Hold hold = new Hold(waiter.spec, own, ticket, item.data(), now.nanos());
            holds.add(hold);
            waiters.remove(waiter);
            refusable.remove(waiter);
            effects.add(new Effect.Granted(waiter, hold));
        }
    }

    /** Whether those who have the lock here let others have it in this mode. */
    boolean goesWithHolders(Mode mode) {
        return holds.stream().allMatch(hold -> hold.entry.mode() == mode && mode != Mode.EXCLUSIVE);
    }

    // Who waits in vain

    private void end(Waiter waiter, AcquireOutcome outcome, Now now) {
        waiters.remove(waiter);
        refusable.remove(waiter);
        lastGaveUp = waiter.isTry() ? lastGaveUp : Long.valueOf(now.nanos());
        effects.add(new Effect.Ended(waiter, outcome));
    }

    private void endOverdue(Now now) {
        for (Waiter waiter : waiters.stream().filter(waiter -> waiter.isOverdue).toList()) {
            Duration waited = waiter.waited(now.nanos());
            Duration left = waiter.spec.waitLimit().plus(MOST_LATE).minus(waited);
            boolean isLate = left.isNegative() || left.isZero();
            boolean goesWithHolders = goesWithHolders(waiter.mode());
            boolean isKnown = waiter.isAnswered || !goesWithHolders;
            Duration silence = Duration.ofNanos(editing == null ? 0 : now.nanos() - editing.nanos());
            // Nothing is known to be in its way, and the answer that may grant it the lock is to come.
            boolean mayHaveIt = editing != null && goesWithHolders && isBeside(item.queue(), List.of(), waiter);
            if (!isLate && (waiter.isTry() || (mayHaveIt || !isKnown) && failure == null)) {
                wakeAt(now.nanos() + left.toNanos());
            } else if (failure != null || !isKnown || mayHaveIt && silence.compareTo(MOST_LATE) >= 0) {
                end(waiter, new AcquireOutcome.Failed(waited, failure != null ? failure : noAnswer(waited)), now);
            } else {
                end(waiter, timedOut(waiter, now), now);
            }
        }
    }

    private static StoreFailure noAnswer(Duration waited) {
        return new StoreFailure(
                StoreFailure.Kind.UNAVAILABLE,
                "The store has not answered for " + waited.toMillis() + " ms: check the network to it",
                null);
    }

    private AcquireOutcome timedOut(Waiter waiter, Now now) {
        return new AcquireOutcome.TimedOut(waiter.waited(now.nanos()), ahead(waiter), holder(now));
    }

    /** How many are before it: of others, who stand before this process; and of this process. */
    private long ahead(Waiter waiter) {
        long before = waiters.stream()
                .filter(other -> !other.isTry() && other.arrival < waiter.arrival)
                .count();
        return item.slotsBefore(firstOwn(0)) + holds.size() + before;
    }

    private @Nullable Holder holder(Now now) {
        SessionId by = seen.first() == null ? null : seen.first().session();
        return by == null
                ? null
                : new Holder(
                        by.equals(session) ? settings.owner() : peers.owner(by),
                        now.storeTime().minus(sameFirst(now)));
    }

    /** Who does not wait is told as soon as it is certain that it does not get the lock, and those who ask for what there is not. */
    private void endHopeless(Now now) {
        List<Waiter> waiting = refusable.isEmpty()
                ? List.of()
                : waiters.stream()
                        .filter(waiter -> !waiter.isTry() && !waiter.isOverdue)
                        .toList();
        for (Waiter waiter : List.copyOf(refusable)) {
            if (waiter.isHeard && waiter.spec.onlyIfExists() && !item.exists()) {
                end(waiter, new AcquireOutcome.NotFound(), now);
            } else if (waiter.isHeard && item.hasOtherPermitsThan(waiter.spec.permits())) {
                end(waiter, new AcquireOutcome.OtherPermits(item.permits()), now);
            } else if (waiter.isTry() && hasNoHope(waiter, waiting, now)) {
                end(waiter, timedOut(waiter, now), now);
            }
        }
    }

    private boolean hasNoHope(Waiter waiter, List<Waiter> waiting, Now now) {
        List<Waiter> earlier = waiting.stream()
                .filter(other -> other.arrival < waiter.arrival && waiters.contains(other))
                .toList();
        boolean goTogether = earlier.isEmpty() || isBeside(item.queue(), earlier, waiter);
        if (!goTogether || !goesWithHolders(waiter.mode())) {
            return true;
        }
        if (!waiter.isHeard || editing != null) {
            return false;
        }
        List<Entry> queue = item.queue();
        List<Entry> staying = queue.stream().filter(entry -> stays(entry, now)).toList();
        // One that lives and waits sees to the dead before it.
        return queue.stream().skip(item.holders()).anyMatch(entry -> stays(entry, now))
                || !isBeside(staying, List.of(), waiter);
    }

    /** Whether it is certain that nobody will take the entry out soon. An own one by which nobody has the lock goes with the next edit. */
    private boolean stays(Entry entry, Now now) {
        if (entry.session() == null) {
            return !isOver(entry, now);
        }
        return entry.session().equals(session)
                ? holds.stream().anyMatch(hold -> hold.entry.entry().equals(entry))
                : peers.isAlive(entry.session(), now.nanos());
    }

    /** Whether it can have the lock beside these entries, and beside these waiters here that come before it. */
    private boolean isBeside(List<Entry> queue, List<Waiter> earlier, Waiter waiter) {
        Mode mode = waiter.mode();
        int most = mode == Mode.PERMIT ? waiter.spec.permits() - earlier.size() : settings.maxQueue();
        return queue.isEmpty() && earlier.isEmpty()
                || mode != Mode.EXCLUSIVE
                        && queue.size() < most
                        && queue.stream().allMatch(entry -> entry.mode() == mode)
                        && earlier.stream().allMatch(other -> other.mode() == mode);
    }

    // Who has released

    /**
     * A release is done when the lock was passed on, when others of the process read on beside it, or when an item shows its entry gone.
     * (When its edit has failed or the session is over, it is done, too.)
     */
    private void endReleases(Now now) {
        boolean isPassedOn = !holds.isEmpty();
        for (Hold hold : List.copyOf(releasing)) {
            OwnEntry entry = hold.entry;
            boolean stands = entries.contains(entry);
            if (!stands || isPassedOn && entry.mode() != Mode.PERMIT) {
                releasing.remove(hold);
                returning.released(now.nanos(), meanCall);
                effects.add(new Effect.ReleaseDone(hold, stands || entry.mayHaveBeenTakenOut()));
            }
        }
    }

    private void endAll(Set<Hold> some) {
        some.forEach(hold -> effects.add(new Effect.ReleaseDone(hold, true)));
        some.clear();
    }

    // What to write

    private void write(Now now) {
        SessionId own = session;
        if (own == null || !now.sessionIsValid()) {
            if (!waiters.isEmpty() && !closing) {
                effects.add(new Effect.WantSession());
            }
            return;
        }
        if (editing != null) {
            boolean mayBeGivenUp = !releasing.isEmpty() && !hasGivenUp;
            long patience = editing.nanos() + PATIENCE_OF_RELEASE.toNanos();
            if (!mayBeGivenUp || now.nanos() - patience < 0) {
                wakeAt(mayBeGivenUp ? patience : Long.MAX_VALUE);
                return;
            }
            editing = null;
            hasGivenUp = true;
        }
        if (backoff.isUnderWay(now.nanos())) {
            wakeAt(backoff.until());
            return;
        }
        NextWrite.Decision decision = next(
                new NextWrite.View(
                        item,
                        own,
                        nextNumber,
                        base.getAsLong(),
                        entries,
                        waiters,
                        holds,
                        over(now),
                        isToBeTouched(now),
                        lastGaveUp,
                        comingBack(now),
                        settings.maxQueue(),
                        meanCall,
                        meanSection),
                now.nanos());
        wakeAt(decision.askAgain());
        if (decision.edit() != null) {
            send(decision.edit());
        }
    }

    NextWrite.Decision next(NextWrite.View view, long nanos) {
        return NextWrite.next(view, nanos);
    }

    private void send(SentEdit sent) {
        editing = sent;
        entries.addAll(sent.appended());
        Edit.Reissue reissue = sent.edit().reissue();
        if (reissue != null) {
            OwnEntry own = Objects.requireNonNull(OwnEntry.known(entries).get(reissue.from()));
            if (reissue.to() instanceof Entry.OfSession to) {
                own.reissueSent(to, Hold.by(own, holds).size(), sent.edit().data());
            } else {
                own.removalSent();
            }
        }
        takenOutBy(sent).forEach(OwnEntry::removalSent);
        effects.add(new Effect.SendEdit(sent));
    }

    private boolean isToBeTouched(Now now) {
        long due = lastWritten + settings.retention().dividedBy(2).toNanos();
        boolean isDue = now.nanos() - due >= 0;
        wakeAt(holds.isEmpty() || isDue ? Long.MAX_VALUE : due);
        return isDue && !holds.isEmpty();
    }

    /** What others have left ahead of this process, and nobody will release. */
    private NavigableMap<Integer, Entry> over(Now now) {
        List<Entry> ahead = waiters.isEmpty() ? List.of() : ahead();
        return settings.detection().toTakeOut(ahead, item.holders(), sameFirst(now), entry -> isOver(entry, now));
    }

    private boolean isOver(Entry entry, Now now) {
        return entry instanceof Entry.Kept some
                ? some.until().isBefore(now.storeTime())
                : peers.isDead(Objects.requireNonNull(entry.session()));
    }

    // Whom to watch, and what to read

    private void watch(Now now) {
        Set<SessionId> wanted = new LinkedHashSet<>();
        if (!waiters.isEmpty() && session != null) {
            List<Entry> ahead = ahead();
            wanted.addAll(
                    settings.detection().toWatch(ahead, item.holders(), sameFirst(now), peers::isDead, peers::isQuiet));
            // Whoever does not wait may have only the dead in its way.
            if (refusable.stream()
                    .anyMatch(
                            waiter -> waiter.isTry() && waiter.isHeard && !isBeside(item.queue(), List.of(), waiter))) {
                wanted.addAll(FailureDetection.living(item.queue().stream(), peers::isDead));
            }
            wanted.remove(session);
            askForOrphan(ahead, now);
        }
        if (!wanted.equals(watched)) {
            watched = wanted;
            effects.add(new Effect.Watch(wanted));
        }
    }

    /**
     * If nothing moves for a lease, a process may not know that it stands there. Those in the way are asked in turn, one in a lease: the
     * holders' processes, and that of the first behind them.
     */
    private void askForOrphan(List<Entry> ahead, Now now) {
        if (now.nanos() - seen.asked() < settings.lease().toNanos()) {
            return;
        }
        Set<SessionId> processes = new HashSet<>();
        List<Entry.OfSession> inTheWay = ahead.stream()
                .filter(entry -> !Objects.equals(session, entry.session()))
                .limit(item.holders() + 1L)
                .filter(Entry.OfSession.class::isInstance)
                .map(Entry.OfSession.class::cast)
                .filter(entry -> !peers.isDead(entry.session()) && processes.add(entry.session()))
                .toList();
        if (!inTheWay.isEmpty()) {
            Entry.OfSession next = inTheWay.get(seen.questions() % inTheWay.size());
            seen = new Seen(seen.first(), seen.since(), now.nanos(), seen.questions() + 1);
            effects.add(new Effect.Notify(next.session(), new Notice(Notice.Wish.CONFIRM, key, next.number())));
        }
    }

    private void read(Now now) {
        if (reading != null || editing != null || session == null || closing && entries.isEmpty()) {
            return;
        }
        long due = nextRead(now);
        boolean isDue = due != Long.MAX_VALUE && now.nanos() - due >= 0;
        if (!isDue || backoff.isUnderWay(now.nanos())) {
            wakeAt(isDue ? backoff.until() : due);
            return;
        }
        boolean hasLanded = entries.stream().anyMatch(entry -> entry.hasSurelyLanded(now.nanos()));
        reading = new SentRead(readConsistently || hasUnheardTry() || hasLanded, now.nanos());
        effects.add(new Effect.SendRead(reading));
    }

    private long nextRead(Now now) {
        if (lookForOrphans || hasUnheardTry()) {
            return now.nanos();
        }
        // From then on a read shows what became of an append that has had no answer.
        long due = entries.stream().mapToLong(OwnEntry::landsBefore).min().orElse(Long.MAX_VALUE);
        if (key.isOfElection() && !holds.isEmpty()) {
            // Nobody else may ever ask, and a leader whose lock somebody has removed must hear of it.
            long again = lastHeard + settings.lease().toNanos();
            due = Math.min(due, readConsistently ? now.nanos() : again);
        }
        boolean othersHold = item.first() != null && (!isTurn() || isTurnBesideOthers());
        Stream<Waiter> waitForThem = othersHold ? waiters.stream() : Stream.empty();
        Optional<Duration> shortest = waitForThem
                .filter(waiter -> !waiter.isTry())
                .map(waiter -> waiter.spec.waitLimit())
                .min(Duration::compareTo);
        if (shortest.isPresent()) {
            // As it was when the item was read: if the pause grew while it lasts, it would not end.
            Duration sameFirst = Duration.ofNanos(lastHeard - seen.since());
            Duration interval = settings.polling().next(Math.max(1, firstOwn(0)), sameFirst, perEntry, shortest.get());
            due = Math.min(due, lastHeard + interval.toNanos());
        }
        return due;
    }

    /**
     * Whether a caller that does not wait needs a read: nothing is written for it where there is no room, or an entry stands that could
     * serve it.
     */
    private boolean hasUnheardTry() {
        return greatestTail >= 0 && refusable.stream().anyMatch(waiter -> waiter.isTry() && !waiter.isHeard);
    }

    /** Whether an own entry holds the lock. */
    private boolean isTurn() {
        return firstOwn(0) < item.holders();
    }

    /** Whether some who wait here may have the lock beside those of this process who have it, when others are out of their way. */
    private boolean isTurnBesideOthers() {
        Mode mode = isTurn() ? item.queue().get(0).mode() : Mode.EXCLUSIVE;
        return mode != Mode.EXCLUSIVE && waiters.stream().anyMatch(waiter -> waiter.mode() == mode);
    }

    /** Where the first own entry from there stands; behind all if none does. */
    private int firstOwn(int from) {
        Stream<Entry> before = item.queue().stream()
                .skip(from)
                .takeWhile(entry -> session == null || !session.equals(entry.session()));
        return from + (int) before.count();
    }

    /**
     * The entries before this process's first. In a turn beside others it is those before its first that waits, so that own ones
     * which hold the lock are among them.
     */
    private List<Entry> ahead() {
        int from = isTurnBesideOthers() ? item.holders() : 0;
        return item.queue().subList(0, firstOwn(from));
    }

    private Duration sameFirst(Now now) {
        return Duration.ofNanos(now.nanos() - seen.since());
    }

    private void wakeAt(long nanos) {
        if (nanos != Long.MAX_VALUE && (wakeAt == Long.MAX_VALUE || nanos - wakeAt < 0)) {
            wakeAt = nanos;
        }
    }

    private static Duration mean(Duration mean, Duration next) {
        return mean.isZero() ? next : mean.multipliedBy(7).plus(next).dividedBy(8);
    }
}
