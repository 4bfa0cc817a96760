package io.dynamolock.internal.engine;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.FailureDetection;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.protocol.Notice;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.time.Deadline;
import io.dynamolock.internal.time.Moment;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * All that a process knows and wants of one lock.
 *
 * <p><b>The life of a lock.</b> An event comes in: a caller wants the lock, a holder releases it, the store has
 * answered, a time has come. The state notes what happened ({@link Notes}), and then decides once, in the order of
 * {@link #on}: who has the lock now, who waits in vain, which releases are done, what to write, whom to watch, what to
 * read. A decision that has to wait asks to be woken at a certain time. What is to be done goes out as effects. An
 * effect may lead to further events, but only after the present event is over.
 *
 * <p><b>The parts.</b> Each part owns its state, and only this class connects them:
 *
 * <ul>
 *   <li>{@link KnownItem}: what is known of the lock's item
 *   <li>{@link OwnEntries}: the entries of this process in that item
 *   <li>{@link WaitingLine}: the callers that wait
 *   <li>{@link Holds}: the callers that have the lock or are releasing it
 *   <li>{@link Calls}: the edit that is awaited and the read that is under way
 *   <li>{@link Batching}: how callers share writes
 *   <li>{@link Stays}: whether the entry of a released lock stays for callers that come back
 * </ul>
 *
 * <p>{@link EndOfWaits}, {@link NextWrite}, {@link NextRead} and {@link NextWatch} look at these parts, decide, and
 * change nothing.
 *
 * <p><b>The item is the truth.</b> The lock's item has a queue of entries, and the first entries of the queue hold the
 * lock ({@link LockItem#holders}). Own entries bear this process's session. An {@link OwnEntry} says what only this
 * process knows about one of them: how many of its slots are used, and whether an edit was sent that changes it. An
 * entry that bears this process's session, but is unknown here, is an orphan and is taken out.
 *
 * <p><b>Who gets the lock</b> ({@link #grant}). Waiters are not bound to entries. They stand in one line, in the order
 * in which they came. An entry that holds the lock serves the earliest caller that it may serve ({@link
 * WaitingLine#firstFor}). For waiters that no entry can serve, entries with slots are appended.
 *
 * <p><b>A turn</b> is the time in which entries of this process hold the lock. These rules apply to it:
 *
 * <ul>
 *   <li>The lock passes from waiter to waiter without a call, unless a former holder has left a fence or data. Waiters
 *       share entries; only a permit, or a writer that may become a reader, shares its entry with no other caller.
 *   <li>Callers that hold the lock at the same time are compatible with each other.
 *   <li>Once the removal of an entry was sent, the entry serves nobody any more.
 *   <li>Once the reissue of an entry was sent, the entry serves nobody until an item shows what became of the reissue.
 *   <li>Exclusive entries serve in the order of the queue. While a former holder's fence may still be good, or a former
 *       holder's data is not known to be written, the next waiters wait for the edit that takes the former holder's
 *       entry out or reissues it.
 *   <li>The turn ends when nobody holds the lock by these entries and none of their slots can serve anybody: then the
 *       entries are taken out. {@link NextWrite} says which entries are taken out earlier, for example to show
 *       operators who hangs.
 * </ul>
 *
 * <p><b>Where to read on.</b> {@link NextWrite}: when a write is sent, and which. {@link Calls}: what happens when an
 * answer is lost. {@link NextRead}: when a process stops looking at a lock. {@link EndOfWaits}: what ends a wait.
 * {@link FailureDetection}: who removes a dead process's entry. The package's comment has a glossary: try, orphan, run,
 * turn, fence, kept entry and others.
 *
 * <p>Lives on the event loop. Not final, because tests that break a rule on purpose replace {@link #on} and {@link
 * #nextWrite}; they look at the parts that are not private.
 */
class LockState {

    private final EngineSettings settings;
    private final Peers peers;

    final KnownItem known;
    final OwnEntries own = new OwnEntries();
    final WaitingLine line = new WaitingLine();
    private final Holds holds;
    private final Calls calls;
    private final Batching batching = new Batching();
    private final Stays stays;

    private final PlaceInQueue place;
    private final EndOfWaits endOfWaits;
    private final NextWrite nextWrite;
    private final NextRead nextRead;
    private final NextWatch nextWatch;

    /** The sessions that are watched for this lock. */
    private Set<SessionId> watched = Set.of();

    /**
     * Own entries that an item has shown for the first time, until {@link #tellQueued} has told the waiters that have
     * got a slot.
     */
    private final List<OwnEntry> newlyShown = new ArrayList<>();

    /** Whether the engine stops. Set once. */
    private boolean isClosing;

    /** When to wake if nothing happens before. Each call of {@link #on} sets it to never first. */
    private Deadline wakeAt = Deadline.NEVER;

    /** What is to be done about the present events, in this order. Each call of {@link #on} begins a new list. */
    private List<Effect> effects = new ArrayList<>();

    /**
     * @param before what was seen of the lock before
     * @param base gives the tail that a new item starts from: at least the clock, and more than any tail that was seen
     * @param latestNow {@link OwnSession#latestNow}
     */
    LockState(
            LockKey key,
            EngineSettings settings,
            SeenBefore before,
            Peers peers,
            LongSupplier base,
            Supplier<@Nullable Instant> latestNow,
            Moment now) {
        this(key, settings, before, peers, base, latestNow, now, new Holds(), new Stays(before.stays()));
    }

    /**
     * @param holds a new object; tests that break a rule on purpose give one with other rules
     * @param stays as {@code holds}
     */
    LockState(
            LockKey key,
            EngineSettings settings,
            SeenBefore before,
            Peers peers,
            LongSupplier base,
            Supplier<@Nullable Instant> latestNow,
            Moment now,
            Holds holds,
            Stays stays) {
        this.settings = settings;
        this.peers = peers;
        this.holds = holds;
        this.stays = stays;
        this.known = new KnownItem(before.front(), now);
        this.calls = new Calls(settings.lease());
        this.place = new PlaceInQueue(known, own, line);
        this.endOfWaits = new EndOfWaits(settings, known, own, line, holds, calls, peers);
        this.nextWrite = new NextWrite(settings, known, own, line, holds, calls, batching, stays, base, latestNow);
        this.nextRead = new NextRead(key, settings, known, own, line, holds, calls, place);
        this.nextWatch = new NextWatch(key, settings, known, own, line, place, endOfWaits, peers);
    }

    /**
     * Notes what has happened, and decides.
     *
     * @return what is to be done now, in this order
     */
    List<Effect> on(List<Event> events, Now now) {
        effects = new ArrayList<>();
        wakeAt = Deadline.NEVER;
        Notes notes = new Notes(now);
        events.forEach(event -> event.accept(notes));
        grant(now);
        tellQueued();
        endHopeless(now);
        endOverdue(now);
        endReleases(now);
        stay(now);
        write(now);
        tellOutside(now);
        watch(now);
        read(now);
        return effects;
    }

    /** When to wake if nothing happens before. */
    Deadline wakeAt() {
        return wakeAt;
    }

    /**
     * Whether nobody here wants or holds the lock, no own entry is left, no call is under way, and no read is to look
     * once more for an append that had no answer.
     */
    boolean isIdle() {
        return line.isEmpty()
                && holds.areOver()
                && own.isEmpty()
                && !calls.areUnderWay()
                && calls.lookAgainDue().isNever();
    }

    /**
     * The item, if it shows entries of an own session that is over; otherwise {@code null}. The engine remembers it
     * after nobody wants the lock any more.
     */
    @Nullable
    LockItem leftBehind() {
        boolean isLeft = own.session() == null && own.hasFormerIn(known.item());
        return isLeft ? known.item() : null;
    }

    /**
     * The lock's queue as far as it is known, if somebody waits here; otherwise empty. Without waiters here it makes no
     * difference which sessions are dead.
     */
    List<Entry> queueWaitedIn() {
        return line.isEmpty() ? List.of() : known.item().queue();
    }

    /** What the engine remembers after nobody wants the lock any more. */
    SeenBefore seen() {
        return new SeenBefore(known.front(), stays.history());
    }

    /**
     * Notes what has happened, and what follows from it at once: holds that are over, waits that are over, answers to
     * holders about their data and downgrades. Everything else is decided when all events are noted ({@link #on}).
     */
    private final class Notes implements Event.Visitor {

        private final Now now;

        Notes(Now now) {
            this.now = now;
        }

        // Callers

        @Override
        public void arrived(Event.Arrived event) {
            own.closeSpareSlots(event.waiter().arrival() - 1, line.isEmpty(), now.moment());
            line.add(event.waiter());
            batching.arrived(now.moment());
            stays.arrived(event.waiter().spec().kind(), now.moment());
        }

        @Override
        public void waitOver(Event.WaitOver event) {
            line.timeIsOver(event.waiter());
        }

        @Override
        public void abandoned(Event.Abandoned event) {
            if (line.contains(event.waiter())) {
                end(event.waiter(), new AcquireOutcome.Abandoned(), now);
            }
        }

        @Override
        public void released(Event.Released event) {
            Hold hold = event.hold();
            if (holds.contains(hold)) {
                release(hold, new Hold.Release(event.dataForNext(), event.isFenceGiven(), event.terms()), now);
            } else {
                effects.add(new Effect.ReleaseDone(hold, false));
            }
        }

        @Override
        public void releasedEarly(Event.ReleasedEarly event) {
            holds.releaseEarly(
                    event.hold(), new Hold.Release(event.dataForNext(), event.isFenceGiven(), ReleaseTerms.AWAITED));
        }

        @Override
        public void forced(Event.Forced event) {
            force(event.hold(), event.reason(), now);
        }

        @Override
        public void dataPutWanted(Event.DataPutWanted event) {
            Hold hold = event.hold();
            boolean isWritten =
                    event.data().equals(known.item().data()) && !hold.entry().isBeingReissued();
            holds.setDataToWrite(hold, isWritten ? null : event.data());
            if (isWritten && holds.contains(hold)) {
                effects.add(new Effect.DataWritten(hold, event.data()));
            }
        }

        @Override
        public void downgradeWanted(Event.DowngradeWanted event) {
            Hold hold = event.hold();
            holds.downgrade(hold);
            if (hold.entry().mode() == Mode.SHARED && holds.contains(hold)) {
                effects.add(new Effect.StandsAs(hold, hold.entry().entry()));
            }
        }

        // The store's answers

        @Override
        public void edited(Event.Edited event) {
            SentEdit call = event.call();
            calls.editSucceeded();
            // Gathering goes by the time that edits take, not by that of reads.
            batching.callTook(now.moment().since(call.sentAt()));
            editEnded(call);
            stays.edited(event.item().tail(), event.isApplied() ? call.edit().tickets() : 0, now.moment());
            tellOfStayInVain(event.item());
            if (event.isApplied()) {
                // The edit has taken these entries out. If the item still shows one of them, a network has delivered
                // the append of that entry twice, and the copy is an orphan.
                own.takenOutBy(call).forEach(LockState.this::gone);
            } else {
                own.neverLands(call);
            }
            show(event.item(), true, call.sentAt(), event.answer().storeTime(), now);
        }

        @Override
        public void editFailed(Event.EditFailed event) {
            SentEdit call = event.call();
            StoreFailure failure = event.failure();
            boolean isWaitedFor = calls.isUnderWay(call);
            editEnded(call);
            if (failure.hasTakenEffect()) {
                // These entries are out of the queue, although the item that shows it cannot be read.
                own.takenOutBy(call).forEach(LockState.this::gone);
            } else if (!failure.mayHaveTakenEffect()) {
                own.neverLands(call);
            } else if (own.session() != null && own.mayStillLand(call, known.item())) {
                stays.othersSeen(now.moment());
                calls.mayHaveLanded(call, now.moment());
            }
            if (!isWaitedFor) {
                return;
            }
            if (failure.kind() == StoreFailure.Kind.CONFLICTED) {
                calls.conflicted(now.moment());
                line.answered(call.sentAt());
            } else {
                calls.editFailed(failure, now.moment());
                endIfLasting(failure, now);
            }
            endAllReleases();
        }

        private void editEnded(SentEdit call) {
            Moment appendSettledAt = now.moment().plus(settings.callTimeout()).plus(Duration.ofNanos(1));
            call.appended().forEach(entry -> entry.appendEnded(appendSettledAt));
            calls.ended(call);
        }

        @Override
        public void read(Event.Read event) {
            SentRead call = event.call();
            calls.readSucceeded();
            calls.ended(call);
            show(
                    event.item(),
                    call.isConsistent(),
                    call.sentAt(),
                    event.answer().storeTime(),
                    now);
        }

        @Override
        public void readFailed(Event.ReadFailed event) {
            calls.ended(event.call());
            if (event.failure().kind() == StoreFailure.Kind.UNREADABLE) {
                // Perhaps the item stays unreadable for ever, and so does what became of these appends.
                own.forgetSettledAppends(event.call().sentAt());
            }
            if (event.failure().isForGood()) {
                calls.stopLooking();
            }
            calls.readFailed(event.failure(), now.moment());
            endIfLasting(event.failure(), now);
        }

        @Override
        public void shown(Event.Shown event) {
            calls.readSucceeded();
            show(event.item(), true, event.sentAt(), event.answer().storeTime(), now);
        }

        // Sessions

        @Override
        public void sessionBegan(Event.SessionBegan event) {
            own.sessionBegan(event.id(), event.numbers());
            calls.sessionBegan();
        }

        @Override
        public void sessionOver(Event.SessionOver event) {
            holds.current().forEach(hold -> lose(hold, LossReason.SESSION_LOST));
            own.sessionOver();
            calls.sessionOver();
            endAllReleases();
        }

        @Override
        public void noSession(Event.NoSession event) {
            calls.noSession(event.failure());
            endIfLasting(event.failure(), now);
        }

        @Override
        public void notified(Event.Notified event) {
            Notice notice = event.notice();
            OwnEntry entry = own.withNumber(notice.number());
            boolean isAlone = entry != null && entry.mode() == Mode.EXCLUSIVE;
            stays.othersSeen(now.moment());
            tellStayEnded(stays.end(now.moment()), StayEnd.CUT_SHORT);
            boolean isEviction = notice.wish() == Notice.Wish.EVICT;
            if (entry == null || !isEviction && !isAlone) {
                // A consistent read shows whether the queue has an orphan: an entry that is unknown here, or a copy of
                // a known entry.
                known.suspectOrphan();
            }
            if (isEviction) {
                evict(notice.number(), entry, now);
            }
        }

        // The rest

        @Override
        public void woke(Event.Woke event) {
            // Nothing to note: the decisions that follow every event are all that is wanted.
        }

        @Override
        public void closing(Event.Closing event) {
            isClosing = true;
            batching.close();
            stays.close();
            calls.stopLooking();
            line.clear();
            // Nobody waits any more and nobody comes, so no unused slot has a purpose.
            own.dropUnused();
            holds.current().forEach(hold -> lose(hold, event.reason()));
            event.kept().forEach((hold, until) -> hold.entry().keepUntil(until));
        }
    }

    // What follows at once from what has happened

    /** If repeating the call is useless, or of no use soon, tells the holders who write data and the waiters so. */
    private void endIfLasting(StoreFailure failure, Now now) {
        if (failure.isLasting()) {
            for (Hold hold : holds.current()) {
                if (hold.dataToWrite() != null) {
                    holds.setDataToWrite(hold, null);
                    effects.add(new Effect.DataRefused(hold, failure));
                }
            }
            for (WaitingCaller waiter : failure.isForGood() ? line.inOrder() : line.tries()) {
                end(waiter, new AcquireOutcome.Failed(waiter.waited(now.moment()), failure), now);
            }
        }
    }

    private void release(Hold hold, Hold.Release release, Now now) {
        batching.sectionTook(now.moment().since(hold.grantedAt()));
        holds.release(hold, release);
        left(hold, now);
        if (!hold.isReleaseAwaited()) {
            // The caller goes on at once, and may be back before the release is written.
            batching.released(now.moment());
        }
        if (holds.isEmpty() && line.isEmpty()) {
            stays.left(release.terms(), now.moment());
        }
    }

    private void left(Hold hold, Now now) {
        hold.entry().left(now.moment());
        if (hold.entry().mode() == Mode.EXCLUSIVE) {
            own.usedInTurn(hold.entry());
        }
    }

    /** A holder is forced out. Its fence must not be good any more when the next holder has the lock. */
    private void force(Hold hold, LossReason reason, Now now) {
        if (holds.contains(hold)) {
            left(hold, now);
            if (hold.entry().mode() == Mode.EXCLUSIVE) {
                hold.entry().requireNewNumber();
            }
            lose(hold, reason);
        }
    }

    private void lose(Hold hold, LossReason reason) {
        holds.lose(hold);
        effects.add(new Effect.Lost(hold, reason));
    }

    /**
     * An operator evicts the caller that has the lock by an entry of this process, or later in the entry's turn. If
     * there is none, and no caller has used the entry, it evicts the callers that wait for the entry.
     *
     * @param entry the entry with this number; {@code null} if it is unknown here
     */
    private void evict(long number, @Nullable OwnEntry entry, Now now) {
        List<Hold> evicted = meantBy(number);
        evicted.forEach(hold -> evict(hold, now));
        if (evicted.stream().anyMatch(hold -> hold.entry().mode() == Mode.EXCLUSIVE)) {
            own.forgetUsedInTurn();
        }
        if (entry == null || !evicted.isEmpty()) {
            return;
        }
        if (entry.isUsed()) {
            // Nobody has the lock by this entry any more. The operator looks whether its number is gone.
            entry.requireNewNumber();
        } else {
            evictWaiting(entry, now);
        }
    }

    /**
     * Whom an operator means who evicts the entry with this number: whoever has the lock by the entry, or, if the entry
     * has passed the lock on, whoever has the lock later in the same turn.
     */
    List<Hold> meantBy(long number) {
        OwnEntry entry = own.withNumber(number);
        if (entry == null) {
            return own.wasUsedInTurn(number) ? exclusiveHolds() : List.of();
        }
        return holds.areBy(entry) ? holds.by(entry) : holdsBehind(entry);
    }

    private List<Hold> exclusiveHolds() {
        return holds.current().stream()
                .filter(hold -> hold.entry().mode() == Mode.EXCLUSIVE)
                .toList();
    }

    /** The holds by entries behind this one in the same turn, to which this entry has passed the lock on. */
    private List<Hold> holdsBehind(OwnEntry entry) {
        Map<Entry, Integer> places = known.item().places();
        int place = entry.indexIn(places);
        return entry.mode() != Mode.EXCLUSIVE || place < 0
                ? List.of()
                : exclusiveHolds().stream()
                        .filter(hold -> hold.entry().indexIn(places) > place)
                        .toList();
    }

    private void evict(Hold hold, Now now) {
        Hold.Release early = hold.earlyRelease();
        if (early != null) {
            release(hold, early, now);
        } else {
            force(hold, LossReason.EVICTED, now);
            hold.entry().requireNewNumber();
        }
    }

    /**
     * Drops the entry's slots, so that it is removed, and ends the wait of every waiter that it would have served. If
     * no item has shown the entry yet, this method assumes that the entry and all others of the same edit stand.
     */
    private void evictWaiting(OwnEntry evicted, Now now) {
        LockItem item = known.item();
        Map<Entry, Integer> places = item.places();
        List<OwnEntry> inOrder = own.all().stream()
                .filter(entry ->
                        entry.stage() != OwnEntry.Stage.SENT || entry.sentAt().equals(evicted.sentAt()))
                .sorted(Comparator.comparingInt(
                        entry -> entry.indexIn(places) < 0 ? Integer.MAX_VALUE : entry.indexIn(places)))
                .toList();
        for (WaitingCaller waiter : new Serving(inOrder, line, item).by(evicted)) {
            end(waiter, new AcquireOutcome.Evicted(waiter.waited(now.moment())), now);
        }
        evicted.dropUnused();
    }

    /** An answer has shown the item. */
    private void show(LockItem shown, boolean isConsistent, Moment sentAt, @Nullable Instant storeTime, Now now) {
        line.shown(sentAt, isConsistent);
        if (isConsistent) {
            calls.looked(sentAt);
        }
        stays.shown(shown.tail(), own.areOthersIn(shown.queue()), calls.isEditUnderWay(), now.moment());
        if (!known.show(shown, isConsistent, sentAt, storeTime, now.moment())) {
            return;
        }
        Entry first = shown.first();
        if (first == null || !own.isOwn(first)) {
            own.forgetUsedInTurn();
        }
        Map<Entry, Integer> places = shown.places();
        for (OwnEntry entry : own.all()) {
            int index = entry.indexIn(places);
            if (index >= 0) {
                if (entry.stage() == OwnEntry.Stage.SENT) {
                    newlyShown.add(entry);
                }
                stands(entry, shown.queue().get(index));
            } else if (entry.stage() != OwnEntry.Stage.SENT || isConsistent && entry.isAppendSettled(sentAt)) {
                gone(entry);
            }
        }
        SentEdit underWay = calls.editUnderWay();
        if (underWay != null && !own.mayStillLand(underWay, shown)) {
            // It has landed, or never will, whatever becomes of its answer.
            calls.forgetEdit();
        }
    }

    /** The item shows an own entry. */
    private void stands(OwnEntry entry, Entry shown) {
        Entry before = entry.entry();
        LockData written = entry.shown(shown);
        if (entry.entry().equals(before)) {
            return;
        }
        for (Hold hold : holds.by(entry)) {
            // Perhaps the holder was told that its data cannot be written (`endIfLasting`), and the data has landed
            // after all.
            if (written != null && (hold.dataToWrite() == null || written.equals(hold.dataToWrite()))) {
                holds.setDataToWrite(hold, null);
                effects.add(new Effect.DataWritten(hold, written));
            }
            effects.add(new Effect.StandsAs(hold, entry.entry()));
        }
    }

    /** An own entry is not in the item any more. */
    private void gone(OwnEntry entry) {
        if (!holdsBehind(entry).isEmpty()) {
            own.usedInTurn(entry);
        }
        own.remove(entry);
        stays.forget(entry);
        holds.by(entry).forEach(hold -> lose(hold, LossReason.TAKEN_AWAY));
    }

    private void end(WaitingCaller waiter, AcquireOutcome outcome, Now now) {
        line.remove(waiter);
        batching.gaveUp(waiter.spec(), now.moment());
        effects.add(new Effect.Ended(waiter, outcome));
    }

    // Who has the lock

    private void grant(Now now) {
        // After `Closing` the line is empty.
        if (line.isEmpty() || own.session() == null || !now.sessionIsValid()) {
            return;
        }
        LockItem item = known.item();
        Map<Entry, OwnEntry> ownShown = own.shown();
        for (int i = 0; i < item.holders(); i++) {
            Entry entry = item.queue().get(i);
            OwnEntry ownEntry = ownShown.get(entry);
            if (entry.mode() == Mode.EXCLUSIVE && (ownEntry == null || ownEntry.keepsNextWaiting())) {
                return;
            }
            if (ownEntry != null) {
                grantBy(ownEntry, i, now);
            }
        }
    }

    private void grantBy(OwnEntry entry, int index, Now now) {
        LockItem item = known.item();
        long lastTicket = item.lastTicket(index);
        while (entry.canServeNow() && holds.allowAnother(entry.mode())) {
            Optional<WaitingCaller> next = line.firstFor(entry, item);
            if (next.isEmpty()) {
                return;
            }
            WaitingCaller waiter = next.get();
            entry.use();
            long ticketOfSlot = lastTicket - entry.slotsLeft();
            if (waiter.needsEntryForItself()) {
                entry.dropUnused();
            }
            Hold hold = holds.grant(waiter, entry, ticketOfSlot, item.data(), now.moment());
            line.remove(waiter);
            stays.granted();
            effects.add(new Effect.Granted(waiter, hold));
        }
    }

    /** Tells waiters that have a slot now, but do not hold the lock yet. */
    private void tellQueued() {
        if (newlyShown.isEmpty()) {
            return;
        }
        LockItem item = known.item();
        Map<Entry, Integer> places = item.places();
        for (OwnEntry entry : newlyShown) {
            int index = entry.indexIn(places);
            long lastTicket = item.lastTicket(index);
            int before = item.slotsBefore(index);
            for (int left = entry.slotsLeft(); left > 0; left--) {
                Optional<WaitingCaller> next = line.firstUntoldFor(entry, item);
                if (next.isEmpty()) {
                    break;
                }
                line.queued(next.get());
                int ahead = before + entry.entry().slots() - left;
                effects.add(new Effect.Queued(next.get(), lastTicket - left + 1, ahead));
            }
        }
        newlyShown.clear();
    }

    /**
     * Tells waiters that the queue has no room for them. While an edit is under way, it may make room, or have appended
     * for them.
     */
    private void tellOutside(Now now) {
        LockItem item = known.item();
        boolean isFull = item.queue().size() >= settings.maxQueue();
        if (!isFull || own.session() == null || !now.sessionIsValid() || calls.isEditUnderWay()) {
            return;
        }
        Serving serving = new Serving(own.all(), line, item);
        for (Lane lane : line.lanes()) {
            int place = serving.firstUnserved(lane);
            WaitingCaller waiter = firstUntold(lane, place);
            while (waiter != null) {
                line.foundFull(waiter);
                effects.add(new Effect.FoundFull(waiter, endOfWaits.ahead(waiter)));
                waiter = firstUntold(lane, place);
            }
        }
    }

    private static @Nullable WaitingCaller firstUntold(Lane lane, int from) {
        return lane.order().at(lane.order().next(LineSummary.Property.UNTOLD, from));
    }

    // Who waits in vain, and which releases are done

    private void endHopeless(Now now) {
        for (WaitingCaller waiter : endOfWaits.perhapsRefused(now)) {
            AcquireOutcome refusal = endOfWaits.refusal(waiter, now);
            if (refusal != null) {
                end(waiter, refusal, now);
            }
        }
    }

    private void endOverdue(Now now) {
        for (WaitingCaller waiter : endOfWaits.perhapsOver(now)) {
            AcquireOutcome outcome = endOfWaits.overdue(waiter, now);
            if (outcome != null) {
                end(waiter, outcome, now);
            }
        }
        line.firstOverdue().ifPresent(waiter -> wakeAt(endOfWaits.latestEnd(waiter)));
    }

    /** Ends the releases that are done. Otherwise a failed edit, or the end of the session, ends all releases. */
    private void endReleases(Now now) {
        for (Hold hold : holds.takeDone(own::contains)) {
            OwnEntry entry = hold.entry();
            if (hold.isReleaseAwaited()) {
                batching.released(now.moment());
            }
            effects.add(new Effect.ReleaseDone(hold, own.contains(entry) || entry.mayHaveBeenTakenOut()));
        }
    }

    // Whether an entry stays for callers that come back

    /**
     * Begins a stay after the last release, and ends it when its time is over, a caller is served or a caller comes
     * whom the entry cannot serve.
     */
    private void stay(Now now) {
        if (!holds.isEmpty()) {
            tellStayEnded(stays.end(now.moment()), StayEnd.CAME_BACK);
        } else if (!line.isEmpty()) {
            tellStayEnded(stays.end(now.moment()), StayEnd.CUT_SHORT);
        } else {
            stays.endIfOver(now.moment());
            Hold last = stays.areExpected(now.moment()) && holds.mayEntriesStay() ? holds.lastReleasing() : null;
            if (last != null
                    && mayStay(last.entry())
                    && stays.begin(last.entry(), last.spec(), last.stay(), now.moment())) {
                endAllReleases();
            }
        }
    }

    private boolean mayStay(OwnEntry entry) {
        int index = entry.indexIn(known.item().places());
        return entry.mode() == Mode.EXCLUSIVE
                && index >= 0
                && index < known.item().holders()
                && entry.canServeNow();
    }

    private void tellStayEnded(@Nullable AcquireSpec leftBy, StayEnd how) {
        if (leftBy != null) {
            effects.add(new Effect.StayEnded(leftBy, how));
        }
    }

    /** The answer to the edit that has taken out an entry after its stay shows whether others waited. */
    private void tellOfStayInVain(LockItem shown) {
        AcquireSpec leftBy = stays.takeLeftInVain();
        if (leftBy != null) {
            tellStayEnded(leftBy, own.areOthersIn(shown.queue()) ? StayEnd.TAKEN : StayEnd.UNUSED);
        }
    }

    private void endAllReleases() {
        holds.takeReleasing().forEach(hold -> effects.add(new Effect.ReleaseDone(hold, true)));
    }

    // What to write

    private void write(Now now) {
        if (own.session() == null || !now.sessionIsValid()) {
            if (!line.isEmpty() && !isClosing) {
                effects.add(new Effect.WantSession());
            }
            return;
        }
        if (calls.isEditUnderWay()) {
            Deadline awaitedUntil = calls.editAwaitedUntil(holds.areReleasing());
            if (!awaitedUntil.isPast(now.moment())) {
                wakeAt(awaitedUntil);
                return;
            }
            calls.stopAwaitingEdit();
        }
        if (calls.areEditsPausing(now.moment())) {
            wakeAt(calls.editPauseEnd());
            return;
        }
        wakeAtUnlessPast(nextWrite.rewriteDue(), now);
        NextWrite.Decision decision = nextWrite(failedAhead(now), now.moment());
        wakeAt(decision.askAgain());
        own.useNumbers(decision.numbersUsed());
        SentEdit edit = decision.edit();
        if (edit != null) {
            calls.sent(edit);
            if (!edit.appended().isEmpty()) {
                stays.appended();
            }
            own.sent(edit, holds);
            effects.add(new Effect.SendEdit(edit));
        } else if (decision.askAgain().isNever() && calls.mayAppend()) {
            calls.nothingToWrite();
        }
    }

    /**
     * Decides on the next write. Tests that break a rule on purpose replace this method.
     *
     * @param failed entries ahead of this process that nobody will release, by place
     */
    NextWrite.Decision nextWrite(NavigableMap<Integer, Entry> failed, Moment now) {
        return nextWrite.decide(Objects.requireNonNull(own.session()), failed, now);
    }

    /**
     * The entries ahead of this process that nobody will release: entries of dead sessions, and kept entries that are
     * over.
     */
    private NavigableMap<Integer, Entry> failedAhead(Now now) {
        List<Entry> ahead = line.isEmpty() ? List.of() : place.ahead();
        return settings.detection()
                .toTakeOut(ahead, known.item().holders(), known.frontUnchangedFor(now.moment()), this::isOver);
    }

    private boolean isOver(Entry entry) {
        return entry instanceof Entry.Kept kept
                ? kept.isOver(known.storeTime())
                : peers.isDead(Objects.requireNonNull(entry.session()));
    }

    // Whom to watch

    private void watch(Now now) {
        boolean isWaiting = !line.isEmpty() && own.session() != null;
        Set<SessionId> wanted = isWaiting ? nextWatch.sessions(now) : Set.of();
        Effect.SendNotice question = isWaiting ? nextWatch.question(now) : null;
        if (question != null) {
            known.asked(now.moment());
            effects.add(question);
        }
        if (!wanted.equals(watched)) {
            watched = wanted;
            effects.add(new Effect.Watch(wanted));
        }
    }

    // What to read

    private void read(Now now) {
        if (calls.isReadUnderWay() || own.session() == null || isClosing && own.isEmpty()) {
            return;
        }
        Deadline due = nextRead.due(now.moment());
        if (due.isNever()) {
            calls.nothingToRead();
        } else if (!due.isPast(now.moment())) {
            wakeAt(due);
        } else if (calls.areReadsPausing(now.moment())) {
            wakeAt(calls.readPauseEnd());
        } else {
            SentRead read = new SentRead(nextRead.mustBeConsistent(now.moment()), now.moment());
            calls.sent(read);
            effects.add(new Effect.SendRead(read));
        }
    }

    private void wakeAt(Deadline deadline) {
        wakeAt = Deadline.earlier(wakeAt, deadline);
    }

    private void wakeAtUnlessPast(Deadline deadline, Now now) {
        if (!deadline.isPast(now.moment())) {
            wakeAt(deadline);
        }
    }
}
