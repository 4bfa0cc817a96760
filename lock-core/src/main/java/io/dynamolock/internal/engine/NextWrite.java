package io.dynamolock.internal.engine;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.protocol.Edit;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.Expiry;
import io.dynamolock.internal.protocol.FailureDetection;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.time.Deadline;
import io.dynamolock.internal.time.Moment;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Says what to write about a lock next. Nothing else in the engine decides on a write, except the writes that operators
 * ask for. Changes nothing. Lives on the event loop.
 *
 * <p><b>When a write is sent.</b> {@link LockState} asks {@link #decide} after each event, and when the time comes that
 * the last decision has named, as long as
 *
 * <ul>
 *   <li>the process's session is valid
 *   <li>no other edit of the lock is awaited
 *   <li>no pause after a failure of an edit lasts ({@link Calls#areEditsPausing}).
 * </ul>
 *
 * <p>Without a session, nothing is written; if a caller waits, a session is begun. While a release waits, an edit is
 * awaited for at most 250 ms ({@link Calls#editAwaitedUntil}). Each decision looks at everything anew.
 *
 * <p><b>Which write is sent.</b> There is one kind of write, the {@link Edit}. An edit is due when
 *
 * <ul>
 *   <li>an own entry serves nobody any more. Three kinds of such entries may stay for a while:
 *       <ul>
 *         <li>The entry of a released lock stays for callers that come back ({@link Stays}).
 *         <li>A holding entry (not a permit) stays until its turn ends, it keeps the next caller waiting ({@link
 *             OwnEntry#keepsNextWaiting}), finished entries threaten to fill the queue, operators would see it as the
 *             holder for long though another caller holds the lock ({@link Draft#mayBeShownUntil}), or another edit is
 *             due ({@link Draft#chooseFinished}).
 *         <li>A waiting entry with free slots stays for a moment, for callers that may come ({@link
 *             Batching#spareUntil}).
 *       </ul>
 *   <li>a caller waits here behind an entry of a dead session or a kept entry whose time is over, and it is this
 *       process's task to take such entries out ({@link FailureDetection#toTakeOut})
 *   <li>an own entry is an orphan
 *   <li>a holder writes data or goes on as a reader; or a former holder's fence or data is in the way of the next
 *       holder ({@link Draft#chooseReissue})
 *   <li>the item must be kept from its TTL ({@link #isRewriteDue}); if nothing else is due, the edit changes nothing
 *       else
 *   <li>waiters have no slot. Waiters that come while their process has its turn, or stands near the front, are held
 *       back for a moment, so that they share an append ({@link Batching}); waiters for permits are not held back. No
 *       waiter gets a slot by a third append while two have had no answer and no read has looked for them ({@link
 *       Calls#mayAppend}).
 * </ul>
 *
 * <p>The edit then does as much of this as one edit can. There is one exception: if all callers that need slots are
 * tries ({@link WaitingCaller#isTry}), their append is a separate edit, sent when nothing else is due; the store
 * refuses it unless the new entries hold the lock at once.
 */
final class NextWrite {

    /** Maximum number of waiting entries per process in one queue. Drops to one when the queue is half full. */
    static final int MOST_WAITING = 16;

    /** In a turn that goes on, finished entries are taken out when there are this many. */
    private static final int MOST_FINISHED = 50;

    /** In a turn that goes on, operators see a finished entry as the holder for no longer than this. */
    private static final Duration LONGEST_SHOWN = Duration.ofSeconds(2);

    /** Maximum number of entries that one edit appends: an expression must not get too long. */
    private static final int MOST_APPENDED = 100;

    /** A caller that waits no longer than this might not live to see an append that is put off. */
    private static final Duration SHORT_WAIT = Duration.ofMillis(20);

    /** A process with an entry among this many at the front will soon have its turn. */
    private static final int NEAR = 4;

    /**
     * What to send, and when to ask again.
     *
     * @param edit what to send; {@code null} for nothing
     * @param numbersUsed how many of the session's numbers the edit uses
     * @param askAgain when to ask again if nothing happens before; never if an edit is to be sent
     */
    record Decision(@Nullable SentEdit edit, int numbersUsed, Deadline askAgain) {

        static Decision nothing(Deadline askAgain) {
            return new Decision(null, 0, askAgain);
        }
    }

    private final EngineSettings settings;
    private final KnownItem known;
    private final OwnEntries own;
    private final WaitingLine line;
    private final Holds holds;
    private final Calls calls;
    private final Batching batching;
    private final Stays stays;
    private final LongSupplier base;
    private final Supplier<@Nullable Instant> latestNow;

    /**
     * @param base gives the tail that a new item starts from
     * @param latestNow {@link OwnSession#latestNow}
     */
    NextWrite(
            EngineSettings settings,
            KnownItem known,
            OwnEntries own,
            WaitingLine line,
            Holds holds,
            Calls calls,
            Batching batching,
            Stays stays,
            LongSupplier base,
            Supplier<@Nullable Instant> latestNow) {
        this.settings = settings;
        this.known = known;
        this.own = own;
        this.line = line;
        this.holds = holds;
        this.calls = calls;
        this.batching = batching;
        this.stays = stays;
        this.base = base;
        this.latestNow = latestNow;
    }

    /**
     * Decides.
     *
     * @param session the own session, which is valid
     * @param abandonedAhead entries ahead that nobody will release, by place: of dead sessions, or kept entries whose
     *     time is over
     */
    Decision decide(SessionId session, NavigableMap<Integer, Entry> abandonedAhead, Moment now) {
        return new Draft(session, abandonedAhead, now).decide();
    }

    /**
     * When the item is to be written even without a change, so that TTL does not remove it while the lock is held;
     * never if nobody holds the lock here. A holder may read nothing for as long as it holds the lock. So the write
     * comes even if the item had much time left when it was seen last: another process may have set an earlier time
     * since, and the answer shows that.
     */
    Deadline rewriteDue() {
        return holds.isEmpty() ? Deadline.NEVER : Deadline.at(known.changedAt().plus(Expiry.REWRITE));
    }

    private boolean isRewriteDue(Moment now) {
        boolean isInUse = !holds.isEmpty() || !line.isEmpty();
        return rewriteDue().isPast(now) || Expiry.isTooSoon(known.item(), isInUse, latestNow.get());
    }

    /** One decision in the making: what is to be taken out, reissued and appended. */
    private final class Draft {

        private final LockItem item = known.item();
        private final SessionId session;

        /** The entries ahead that nobody will release, by place: of dead sessions, or kept entries that are over. */
        private final NavigableMap<Integer, Entry> abandonedAhead;

        private final Moment now;

        /** The own entries that an item has shown, by the entry in the queue. Orphans are not among them. */
        private final Map<Entry, OwnEntry> ownShown = own.shown();

        /** Which waiters each own entry in the queue will serve. */
        private final Serving serving = new Serving(standing(), line, item);

        /** The entries that the edit takes out, by place. */
        private final NavigableMap<Integer, Entry> removed = new TreeMap<>();

        /** The entry that the edit reissues, or makes a kept entry; {@code null} for none. */
        private Edit.@Nullable Reissue reissue;

        /** What the edit writes as the user's data; {@code null} to leave the data as it is. */
        private @Nullable LockData data;

        /** Whether an edit is to be sent even if no waiter needs one. */
        private boolean isDue;

        /** Whether the edit ends a turn in which somebody of this process had the lock. */
        private boolean endsTurn;

        /** How many of the session's numbers the edit uses so far. */
        private int numbersUsed;

        /** When to ask again if no edit is to be sent now. */
        private Deadline askAgain = Deadline.NEVER;

        Draft(SessionId session, NavigableMap<Integer, Entry> abandonedAhead, Moment now) {
            this.session = session;
            this.abandonedAhead = abandonedAhead;
            this.now = now;
        }

        Decision decide() {
            isDue = isRewriteDue(now);
            chooseRemovals();
            chooseReissue();
            boolean mayAppend = calls.mayAppend() && !leavesLockFree();
            List<Unserved.Group> groups = mayAppend ? groupsWithRoom() : List.of();
            if (!groups.isEmpty()) {
                Duration gathering = gathering(groups);
                if (!gathering.isZero()) {
                    askAgain = askAgain.orAt(now.plus(gathering));
                    groups = List.of();
                }
            }
            if (!isDue && groups.isEmpty()) {
                return Decision.nothing(askAgain);
            }
            boolean areTries = !groups.isEmpty() && groups.stream().allMatch(Unserved.Group::areTries);
            if (areTries && !isDue) {
                return appendIfFree(groups);
            }
            // An append for callers that do not wait is sent alone, after the other work: if the lock is not free, the
            // store refuses the whole edit.
            SentEdit edit = edit(areTries ? List.of() : groups, settings.maxQueue());
            return new Decision(edit, numbersUsed, Deadline.NEVER);
        }

        /**
         * Whether the edit takes an entry out and appends nothing though a caller waits, so that the lock is free for a
         * moment ({@link Stays}).
         */
        private boolean leavesLockFree() {
            boolean isWaitShort = line.shortestWait()
                    .filter(wait -> wait.compareTo(SHORT_WAIT) < 0)
                    .isPresent();
            return !removed.isEmpty() && stays.isLeftFree() && !othersQueue() && !isWaitShort;
        }

        /** Appends entries for callers that do not wait, on the condition that these entries hold the lock at once. */
        private Decision appendIfFree(List<Unserved.Group> groups) {
            // Only finished entries are left to be removed here, and they may stay, or the edit would be due. They do
            // stay: if the lock is not free, the store refuses the whole edit.
            removed.clear();
            List<Unserved.Group> holdAtOnce = thatMayHoldAtOnce(groups);
            SentEdit edit = edit(holdAtOnce, boundIfFree(holdAtOnce.get(0), holdAtOnce.size()));
            boolean isItemKnown = waitersOf(holdAtOnce).uninformed() == 0;
            if (isItemKnown && !edit.edit().on(item).isApplied()) {
                // As far as is known, the store would refuse this edit.
                return Decision.nothing(askAgain);
            }
            return new Decision(edit, numbersUsed, Deadline.NEVER);
        }

        /** The own entries that stand, in the order of the queue. */
        private List<OwnEntry> standing() {
            return item.queue().stream()
                    .map(ownShown::get)
                    .filter(Objects::nonNull)
                    .distinct()
                    .toList();
        }

        // What is taken out

        private void chooseRemovals() {
            int holders = item.holders();
            boolean turnGoesOn = false;
            NavigableMap<Integer, OwnEntry> finished = new TreeMap<>();
            removed.putAll(abandonedAhead);
            for (int i = 0; i < item.queue().size() && removed.size() < Edit.MOST_REMOVED; i++) {
                Entry entry = item.queue().get(i);
                if (!session.equals(entry.session())) {
                    continue;
                }
                OwnEntry ownEntry = ownShown.get(entry);
                if (ownEntry == null) {
                    removed.put(i, entry);
                } else if (ownEntry.stage() == OwnEntry.Stage.REMOVING) {
                    takeOut(i, ownEntry);
                } else if (isWanted(ownEntry)) {
                    turnGoesOn |= i < holders;
                } else if (now.isBefore(stays.until(ownEntry, now))) {
                    turnGoesOn = true;
                    askAgain = askAgain.orAt(stays.until(ownEntry, now));
                } else if (i >= holders && now.isBefore(batching.spareUntil(ownEntry, now))) {
                    askAgain = askAgain.orAt(batching.spareUntil(ownEntry, now));
                } else if (i < holders && ownEntry.mode() != Mode.PERMIT) {
                    finished.put(i, ownEntry);
                } else {
                    takeOut(i, ownEntry);
                }
            }
            isDue |= !removed.isEmpty();
            chooseFinished(finished, turnGoesOn);
        }

        /** Takes finished entries out at the end of their turn, or earlier if they are in the way. */
        private void chooseFinished(NavigableMap<Integer, OwnEntry> finished, boolean turnGoesOn) {
            if (finished.isEmpty()) {
                return;
            }
            boolean keepNextWaiting = finished.values().stream().anyMatch(OwnEntry::keepsNextWaiting);
            // Exclusive entries are taken out by the next append in any case. But an append for readers that do not
            // wait takes nothing out, so finished readers could fill the queue.
            boolean mayFillQueue = item.queue().size() >= settings.maxQueue() / 2
                    && finished.values().stream().anyMatch(entry -> entry.mode() == Mode.SHARED);
            Deadline shownTooLong =
                    finished.values().stream().map(this::mayBeShownUntil).reduce(Deadline.NEVER, Deadline::earlier);
            isDue |= !turnGoesOn
                    || keepNextWaiting
                    || mayFillQueue
                    || finished.size() >= MOST_FINISHED
                    || shownTooLong.isPast(now);
            askAgain = Deadline.earlier(askAgain, shownTooLong);
            endsTurn = !turnGoesOn && finished.values().stream().anyMatch(OwnEntry::isUsed);
            finished.forEach((index, entry) -> {
                if (removed.size() < Edit.MOST_REMOVED) {
                    takeOut(index, entry);
                }
            });
        }

        /**
         * Until when a finished entry may be shown to operators, who take it for the holder, though its turn goes on.
         * An exclusive entry may until the present hold has lasted for some time, so that a turn of short holds costs
         * nothing; an entry behind that of the present hold is shown as waiting anyway.
         */
        private Deadline mayBeShownUntil(OwnEntry finished) {
            if (finished.mode() == Mode.SHARED) {
                return Deadline.at(finished.unusedSince().plus(LONGEST_SHOWN));
            }
            int place = item.indexOf(finished.entry());
            return holds.current().stream()
                    .filter(hold -> item.indexOf(hold.entry().entry()) > place)
                    .map(hold -> Deadline.at(hold.grantedAt().plus(LONGEST_SHOWN)))
                    .reduce(Deadline.NEVER, Deadline::earlier);
        }

        private void takeOut(int index, OwnEntry entry) {
            boolean isHolding = index < item.holders();
            Instant keptUntil = entry.keptUntil();
            if (keptUntil == null) {
                removed.put(index, entry.entry());
                if (isHolding && entry.dataForNext() != null) {
                    data = entry.dataForNext();
                }
            } else if (isHolding && reissue == null) {
                // If a network has delivered the append twice, a copy stands further back. The copy is taken out after
                // this entry has become a kept one.
                reissue = new Edit.Reissue(index, entry.entry(), new Entry.Kept(entry.mode(), keptUntil));
                if (entry.dataForNext() != null) {
                    data = entry.dataForNext();
                }
                isDue = true;
            }
        }

        /** Whether somebody has the lock by the entry, or is to have it. */
        private boolean isWanted(OwnEntry entry) {
            return holds.areBy(entry) || serving.countBy(entry) > 0;
        }

        // What is reissued

        /**
         * Reissues the first entry that needs a new number, unless the edit already writes data. One edit reissues at
         * most one entry.
         */
        private void chooseReissue() {
            int holders = item.holders();
            for (int i = 0; i < holders && reissue == null && data == null; i++) {
                OwnEntry entry = ownShown.get(item.queue().get(i));
                if (entry != null && !removed.containsKey(i) && entry.stage() != OwnEntry.Stage.REMOVING) {
                    reissueIfNeeded(i, entry);
                }
            }
        }

        private void reissueIfNeeded(int index, OwnEntry entry) {
            LockData dataOfHolder = holds.dataToWriteBy(entry);
            boolean isDowngrading = entry.mode() == Mode.EXCLUSIVE && holds.isDowngradingBy(entry);
            int holders = holds.countBy(entry);
            boolean nextWaits = holders == 0 && entry.keepsNextWaiting();
            int slots = holders + entry.slotsLeft();
            if (isDowngrading) {
                reissue = new Edit.Reissue(index, entry.entry(), numbered(Mode.SHARED, 1));
            } else if (slots > 0 && (dataOfHolder != null || nextWaits || entry.isBeingReissued())) {
                reissue = new Edit.Reissue(index, entry.entry(), numbered(entry.mode(), slots));
            }
            if (reissue != null) {
                data = dataOfHolder != null ? dataOfHolder : entry.dataForNext();
                isDue = true;
            }
        }

        /** An entry with the next number. */
        private Entry.OfSession numbered(Mode mode, int slots) {
            long number = own.nextNumber() + numbersUsed;
            numbersUsed++;
            return new Entry.OfSession(session, number, mode, Math.min(slots, Entry.OfSession.mostSlots(number)));
        }

        // What is appended

        /** The waiters that need slots, as far as there is room for their entries. The waiters of a group share one. */
        private List<Unserved.Group> groupsWithRoom() {
            int roomInQueue = settings.maxQueue() - standingAfterRemovals();
            int mostEntries = Math.min(roomInQueue, MOST_APPENDED);
            long mostToWait = mostWaitingToAdd();
            List<Unserved.Group> groups = new ArrayList<>();
            Unserved unserved = new Unserved(line, serving, item);
            for (Lane next = unserved.nextLane(); next != null; next = unserved.nextLane()) {
                boolean hasRoom = groups.size() < mostEntries
                        && (groups.size() < mostToWait || isFreePermit(next, groups.size()));
                if (!hasRoom) {
                    return groups;
                }
                groups.add(unserved.take(next));
            }
            return groups;
        }

        /** How many entries the queue has when the edit has taken out what it removes. */
        private int standingAfterRemovals() {
            return item.queue().size() - removed.size();
        }

        /** How many more entries of this process may wait in the queue. */
        private long mostWaitingToAdd() {
            int most = item.queue().size() >= settings.maxQueue() / 2 ? 1 : MOST_WAITING;
            long waiting = IntStream.range(item.holders(), item.queue().size())
                    .filter(i -> ownShown.containsKey(item.queue().get(i)) && !removed.containsKey(i))
                    .count();
            return most - waiting;
        }

        /** Whether these waiters want permits, and one is free, so that its entry does not wait in the queue. */
        private boolean isFreePermit(Lane waiters, int appendedBefore) {
            return waiters.mode() == Mode.PERMIT && standingAfterRemovals() + appendedBefore < waiters.permits();
        }

        /** The groups that may hold the lock at once: of permits, as many as may be free, but at least one. */
        private List<Unserved.Group> thatMayHoldAtOnce(List<Unserved.Group> groups) {
            int permits = groups.get(0).permits();
            int free = Math.max(1, permits - item.queue().size());
            return permits == 0 || groups.size() <= free ? groups : groups.subList(0, free);
        }

        /** How much longer the waiters that need slots are held back, because others may come; zero for not at all. */
        private Duration gathering(List<Unserved.Group> groups) {
            if (!isNear() || groups.get(0).mode() == Mode.PERMIT) {
                return Duration.ZERO;
            }
            Moment until = Objects.requireNonNull(waitersOf(groups).gathersUntil());
            return othersQueue() ? batching.gathering(until, now) : batching.gatheringAlone(until, slotsOfTurn(), now);
        }

        private LineSummary waitersOf(List<Unserved.Group> groups) {
            return groups.stream().map(Unserved.Group::waiters).reduce(LineSummary.NOBODY, LineSummary::plus);
        }

        /** How many waiters the present turn of this process will still serve. */
        private int slotsOfTurn() {
            return item.queue().stream()
                    .limit(item.holders())
                    .map(ownShown::get)
                    .filter(Objects::nonNull)
                    .distinct()
                    .mapToInt(serving::countBy)
                    .sum();
        }

        /** Whether this process has its turn, or will have it soon. */
        private boolean isNear() {
            int near = Math.max(NEAR, item.holders());
            return item.queue().stream()
                    .limit(near)
                    .map(ownShown::get)
                    .anyMatch(entry -> entry != null && entry.stage() == OwnEntry.Stage.STANDING && isWanted(entry));
        }

        /** @param bound how many entries the queue may have after the edit */
        private SentEdit edit(List<Unserved.Group> groups, int bound) {
            boolean mayStay = groups.size() == 1 && standingAfterRemovals() == 0;
            List<OwnEntry> appended = new ArrayList<>(
                    groups.stream().map(group -> entry(group, mayStay)).toList());
            addSpare(appended);
            Edit edit = new Edit(
                    removed,
                    reissue,
                    appended.stream().<Entry>map(OwnEntry::entry).toList(),
                    bound,
                    groups.stream().mapToInt(Unserved.Group::permits).max().orElse(0),
                    item.exists() || waitersOf(groups).needingItem() > 0,
                    data,
                    0,
                    base.getAsLong(),
                    expiry());
            return new SentEdit(edit, appended, now);
        }

        private @Nullable Instant expiry() {
            Instant latest = latestNow.get();
            if (latest == null && rewriteDue().isPast(now)) {
                return Expiry.postponed(item);
            }
            return Expiry.toWrite(item, keptByEdit(), latest, settings.retention());
        }

        private Entry.@Nullable Kept keptByEdit() {
            return reissue != null && reissue.to() instanceof Entry.Kept kept ? kept : null;
        }

        /** @param mayStay whether the entry stands alone, so that it may stay for callers that come back */
        private OwnEntry entry(Unserved.Group group, boolean mayStay) {
            boolean isAlone = group.mode() == Mode.EXCLUSIVE && group.waiters().alone() == 0;
            int spare = mayStay && isAlone ? stays.spareSlots(group.size(), now) : 0;
            int slotsForWaiters = spare == 0 ? Integer.MAX_VALUE : group.size();
            Entry.OfSession entry = numbered(group.mode(), group.size() + spare);
            return new OwnEntry(entry, now, group.lastArrival(), false, slotsForWaiters);
        }

        /**
         * Adds slots for callers that have just had the lock, if they often want it again soon. The edit at the end of
         * a turn can append them at no extra cost.
         */
        private void addSpare(List<OwnEntry> appended) {
            int spare = holds.areReleasingExclusively() ? batching.spareSlots(holds.countReleasingAwaited(), now) : 0;
            if (!endsTurn || spare == 0 || isNear() || !calls.mayAppend()) {
                return;
            }
            if (appended.isEmpty()) {
                boolean hasRoom = standingAfterRemovals() < settings.maxQueue();
                if (othersQueue() && hasRoom) {
                    appended.add(withSpare(spare));
                }
                return;
            }
            OwnEntry last = appended.get(appended.size() - 1);
            if (last.mode() == Mode.EXCLUSIVE && !last.hasSlotsForComing()) {
                appended.remove(last);
                appended.add(withSpare(spare + last.entry().slots()));
            }
        }

        private boolean othersQueue() {
            return own.areOthersIn(item.queue());
        }

        private OwnEntry withSpare(int slots) {
            return new OwnEntry(numbered(Mode.EXCLUSIVE, slots), now, 0, true);
        }

        /** Greatest length of the queue, after the append, with which the appended entries hold the lock at once. */
        private int boundIfFree(Unserved.Group first, int entries) {
            if (first.mode() == Mode.PERMIT) {
                return Math.max(entries, first.permits());
            }
            boolean isBesideReaders =
                    first.mode() == Mode.SHARED && item.queue().stream().allMatch(entry -> entry.mode() == Mode.SHARED);
            return isBesideReaders ? item.queue().size() + entries : entries;
        }
    }
}
