package io.dynamolock.internal.engine;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.protocol.Edit;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.time.Deadline;
import io.dynamolock.internal.time.Moment;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Says what to write about a lock next. Nothing else in the engine decides on a write, but for writes of operators.
 * {@link LockState} asks after each event while the session is valid, no edit of the lock is under way and no pause
 * after a failure lasts; and each time all is looked at that there is to do. Changes nothing. Lives on the event loop.
 *
 * <p>An edit is due when
 * <ul>
 *   <li>a turn is over, or an entry serves nobody; but finished entries, unless they are permits, wait for the end of
 *       their turn, and spare ones for a moment
 *   <li>a caller waits here behind a dead process or a kept entry that is over
 *   <li>an own entry stands there of which nothing is known (an orphan)
 *   <li>a holder writes data, goes on as a reader or must keep the item from its TTL, or a former holder's fence or
 *       data is in the way of the next one ({@link Draft#chooseReissue})
 *   <li>waiters have no slot.
 * </ul>
 *
 * <p>The edit then does as much of that as one edit can. Waiters that come while their process has its turn, or stands
 * near the front, gather for a moment, so that they share an append ({@link Batching}); permits do not. Callers that do
 * not wait have an edit for themselves, unless others are appended with them.
 */
final class NextWrite {

    /** Maximum number of waiting entries per process in one queue. Drops to one when the queue is half full. */
    static final int MOST_WAITING = 16;

    /** A turn that does not end takes its finished entries out when there are this many. */
    private static final int MOST_FINISHED = 50;

    /** Maximum number of entries that one edit appends: an expression must not get too long. */
    private static final int MOST_APPENDED = 100;

    /** A process with one of this many entries at the front will soon have its turn. */
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
    private final OwnEntries entries;
    private final WaitingLine line;
    private final Holds holds;
    private final Batching batching;
    private final LongSupplier base;

    /** @param base what the tail of a new item is to start from */
    NextWrite(
            EngineSettings settings,
            KnownItem known,
            OwnEntries entries,
            WaitingLine line,
            Holds holds,
            Batching batching,
            LongSupplier base) {
        this.settings = settings;
        this.known = known;
        this.entries = entries;
        this.line = line;
        this.holds = holds;
        this.batching = batching;
        this.base = base;
    }

    /**
     * Decides.
     *
     * @param session the own session, which is valid
     * @param failed entries that others have left in the queue and nobody will release, by place
     */
    Decision decide(SessionId session, NavigableMap<Integer, Entry> failed, Moment now) {
        return new Draft(session, failed, now).decide();
    }

    /**
     * When the item is to be written so that its TTL does not remove it while the lock is held; never if nobody holds
     * the lock here.
     */
    Deadline touchDue() {
        Duration halfOfRetention = settings.retention().dividedBy(2);
        return holds.isEmpty() ? Deadline.NEVER : Deadline.at(known.changedAt().plus(halfOfRetention));
    }

    /**
     * Which of these entries, which stand in this order, serves which waiters: each waiter is served by the first entry
     * that can.
     *
     * @param waiters in the order in which they came; waiters that are served are taken out
     */
    static Map<OwnEntry, List<Waiter>> serve(List<OwnEntry> entries, Set<Waiter> waiters, LockItem item) {
        Map<OwnEntry, List<Waiter>> served = new HashMap<>();
        for (OwnEntry entry : entries) {
            List<Waiter> servedByEntry = new ArrayList<>();
            int left = entry.slotsLeft();
            Iterator<Waiter> next = waiters.iterator();
            while (left > 0 && next.hasNext()) {
                Waiter waiter = next.next();
                if (entry.mayServe(waiter, item)) {
                    left = waiter.spec().kind().needsEntryForItself() ? 0 : left - 1;
                    servedByEntry.add(waiter);
                    next.remove();
                }
            }
            served.put(entry, servedByEntry);
        }
        return served;
    }

    /** One decision in the making: what is to be taken out, reissued and appended. */
    private final class Draft {

        private final LockItem item = known.item();
        private final SessionId session;
        private final NavigableMap<Integer, Entry> failed;
        private final Moment now;

        /** What is known of own entries that stand, by what stands there; nothing of orphans. */
        private final Map<Entry, OwnEntry> own = entries.shown();

        /** The waiters that no entry in the queue will serve. */
        private final Set<Waiter> unserved = new LinkedHashSet<>(line.inOrder());

        /** Which waiters each own entry in the queue will serve. */
        private final Map<OwnEntry, List<Waiter>> served = serve(standing(), unserved, item);

        private final NavigableMap<Integer, Entry> removed = new TreeMap<>();
        private Edit.@Nullable Reissue reissue;

        /** What the user's data becomes; {@code null} to leave it as it is. */
        private @Nullable LockData data;

        /** Whether an edit is to be sent, whatever waiters need. */
        private boolean isDue;

        /** Whether the edit ends a turn in which somebody of this process had the lock. */
        private boolean endsTurn;

        private int numbersUsed;
        private Deadline askAgain = Deadline.NEVER;

        Draft(SessionId session, NavigableMap<Integer, Entry> failed, Moment now) {
            this.session = session;
            this.failed = failed;
            this.now = now;
        }

        Decision decide() {
            chooseRemovals();
            chooseReissue();
            List<List<Waiter>> groups = groupsWithRoom();
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
            boolean areTries =
                    !groups.isEmpty() && groups.stream().flatMap(List::stream).allMatch(Waiter::isTry);
            if (areTries && !isDue) {
                return appendIfFree(groups);
            }
            // Whether the lock is free is asked for by itself, when all else is done.
            SentEdit edit = edit(areTries ? List.of() : groups, settings.maxQueue());
            return new Decision(edit, numbersUsed, Deadline.NEVER);
        }

        /** Appends entries for callers that do not wait, on the condition that these entries hold the lock at once. */
        private Decision appendIfFree(List<List<Waiter>> groups) {
            removed.clear();
            List<List<Waiter>> holdAtOnce = thatMayHoldAtOnce(groups);
            SentEdit edit = edit(holdAtOnce, boundIfFree(holdAtOnce.get(0).get(0), holdAtOnce.size()));
            boolean isItemKnown = holdAtOnce.stream().flatMap(List::stream).allMatch(Waiter::hasSeenItem);
            if (isItemKnown && !edit.edit().on(item).isApplied()) {
                // The store has refused it already.
                return Decision.nothing(askAgain);
            }
            return new Decision(edit, numbersUsed, Deadline.NEVER);
        }

        /** The own entries that stand, in the order of the queue. */
        private List<OwnEntry> standing() {
            return item.queue().stream()
                    .map(own::get)
                    .filter(Objects::nonNull)
                    .distinct()
                    .toList();
        }

        // What is taken out

        private void chooseRemovals() {
            int holders = item.holders();
            boolean turnGoesOn = false;
            NavigableMap<Integer, OwnEntry> finished = new TreeMap<>();
            removed.putAll(failed);
            for (int i = 0; i < item.queue().size() && removed.size() < Edit.MOST_REMOVED; i++) {
                Entry entry = item.queue().get(i);
                if (!session.equals(entry.session())) {
                    continue;
                }
                OwnEntry ownEntry = own.get(entry);
                if (ownEntry == null) {
                    removed.put(i, entry);
                } else if (ownEntry.stage() == OwnEntry.Stage.REMOVING) {
                    takeOut(i, ownEntry);
                } else if (isWanted(ownEntry)) {
                    turnGoesOn |= i < holders;
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

        /** Finished entries go at the end of their turn, or earlier if they are in the way. */
        private void chooseFinished(NavigableMap<Integer, OwnEntry> finished, boolean turnGoesOn) {
            if (finished.isEmpty()) {
                return;
            }
            boolean keepNextWaiting = finished.values().stream().anyMatch(OwnEntry::keepsNextWaiting);
            // Exclusive entries go with the next append. The append of readers who do not wait takes nothing out.
            boolean takeRoomFromOthers = item.queue().size() >= settings.maxQueue() / 2
                    && finished.values().stream().anyMatch(entry -> entry.mode() == Mode.SHARED);
            isDue |= !turnGoesOn || keepNextWaiting || takeRoomFromOthers || finished.size() >= MOST_FINISHED;
            endsTurn = !turnGoesOn && finished.values().stream().anyMatch(OwnEntry::isUsed);
            finished.forEach((index, entry) -> {
                if (removed.size() < Edit.MOST_REMOVED) {
                    takeOut(index, entry);
                }
            });
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
                // Where a network has delivered the append twice, a copy stands further back. The copy goes when this
                // entry is kept.
                reissue = new Edit.Reissue(index, entry.entry(), new Entry.Kept(entry.mode(), keptUntil));
                if (entry.dataForNext() != null) {
                    data = entry.dataForNext();
                }
                isDue = true;
            }
        }

        /** Whether somebody has the lock by the entry, or is to have it. */
        private boolean isWanted(OwnEntry entry) {
            return holds.areBy(entry) || !served.getOrDefault(entry, List.of()).isEmpty();
        }

        // What is reissued

        /** One entry gets a new number at a time, the first of them that needs one. */
        private void chooseReissue() {
            int holders = item.holders();
            for (int i = 0; i < holders && reissue == null && data == null; i++) {
                OwnEntry entry = own.get(item.queue().get(i));
                if (entry != null && !removed.containsKey(i) && entry.stage() != OwnEntry.Stage.REMOVING) {
                    reissueIfNeeded(i, entry);
                }
            }
        }

        private void reissueIfNeeded(int index, OwnEntry entry) {
            List<Hold> holdsByEntry = holds.by(entry);
            LockData put = holdsByEntry.stream()
                    .map(Hold::dataToWrite)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(null);
            boolean isDowngrading =
                    entry.mode() == Mode.EXCLUSIVE && holdsByEntry.stream().anyMatch(Hold::isDowngrading);
            boolean nextWaits = holdsByEntry.isEmpty() && entry.keepsNextWaiting();
            boolean isToBeTouched = !holdsByEntry.isEmpty() && touchDue().isPast(now);
            int slots = holdsByEntry.size() + entry.slotsLeft();
            if (isDowngrading) {
                reissue = new Edit.Reissue(index, entry.entry(), numbered(Mode.SHARED, 1));
            } else if (slots > 0 && (put != null || nextWaits || entry.isBeingReissued() || isToBeTouched)) {
                reissue = new Edit.Reissue(index, entry.entry(), numbered(entry.mode(), slots));
            }
            if (reissue != null) {
                data = put != null ? put : entry.dataForNext();
                isDue = true;
            }
        }

        /** An entry with the next number. */
        private Entry.OfSession numbered(Mode mode, int slots) {
            long number = entries.nextNumber() + numbersUsed;
            numbersUsed++;
            return new Entry.OfSession(session, number, mode, Math.min(slots, Entry.OfSession.mostSlots(number)));
        }

        // What is appended

        /** The waiters that need slots, as far as there is room for their entries: the waiters of a group share one. */
        private List<List<Waiter>> groupsWithRoom() {
            int standing = item.queue().size() - removed.size();
            IntStream waiting = IntStream.range(item.holders(), item.queue().size())
                    .filter(i -> own.containsKey(item.queue().get(i)) && !removed.containsKey(i));
            int mostWaiting = item.queue().size() >= settings.maxQueue() / 2 ? 1 : MOST_WAITING;
            long mostGroups = mostWaiting - waiting.count();
            List<List<Waiter>> groups = new ArrayList<>();
            List<Waiter> group = List.of();
            Waiter first = null;
            int permits = 0;
            for (Waiter waiter : unserved) {
                if (first == null) {
                    first = waiter;
                }
                if (permits == 0) {
                    permits = waiter.spec().permits();
                }
                if (waiter.spec().permits() > 0 && waiter.spec().permits() != permits) {
                    continue;
                }
                if (!item.exists()
                        && waiter.spec().onlyIfExists() != first.spec().onlyIfExists()) {
                    // A waiter that makes the item makes it for those who come after it.
                    break;
                }
                if (group.isEmpty() || isApart(group.get(0), waiter) || group.size() == Entry.OfSession.mostSlots(1)) {
                    boolean holdsAtOnce = waiter.mode() == Mode.PERMIT && standing + groups.size() < permits;
                    if (groups.size() >= Math.min(settings.maxQueue() - standing, MOST_APPENDED)
                            || !holdsAtOnce && groups.size() >= mostGroups) {
                        break;
                    }
                    group = new ArrayList<>();
                    groups.add(group);
                }
                group.add(waiter);
            }
            return groups;
        }

        /** Whether two waiters cannot share an entry. */
        private static boolean isApart(Waiter one, Waiter next) {
            return one.mode() != next.mode()
                    || one.spec().kind().needsEntryForItself()
                    || next.spec().kind().needsEntryForItself();
        }

        /** As many permits as may be free; one is asked for in any case. */
        private List<List<Waiter>> thatMayHoldAtOnce(List<List<Waiter>> groups) {
            int permits = groups.get(0).get(0).spec().permits();
            int free = Math.max(1, permits - item.queue().size());
            return permits == 0 || groups.size() <= free ? groups : groups.subList(0, free);
        }

        /** How much longer the waiters that need slots are held back for others that may come; zero for not at all. */
        private Duration gathering(List<List<Waiter>> groups) {
            if (!isNear() || groups.get(0).get(0).mode() == Mode.PERMIT) {
                return Duration.ZERO;
            }
            List<Waiter> waiters = groups.stream().flatMap(List::stream).toList();
            boolean isAlone = item.queue().stream().allMatch(entry -> session.equals(entry.session()));
            return isAlone ? batching.gatheringAlone(waiters, slotsOfTurn(), now) : batching.gathering(waiters, now);
        }

        /** How many waiters this process's turn still serves. */
        private int slotsOfTurn() {
            return standing().stream()
                    .filter(entry -> item.indexOf(entry.entry()) < item.holders())
                    .mapToInt(entry -> served.getOrDefault(entry, List.of()).size())
                    .sum();
        }

        /** Whether this process has its turn, or will have it soon. */
        private boolean isNear() {
            int near = Math.max(NEAR, item.holders());
            return item.queue().stream()
                    .limit(near)
                    .map(own::get)
                    .anyMatch(entry -> entry != null && entry.stage() == OwnEntry.Stage.STANDING && isWanted(entry));
        }

        /** @param bound how many entries the queue may have after the edit */
        private SentEdit edit(List<List<Waiter>> groups, int bound) {
            List<OwnEntry> appended =
                    new ArrayList<>(groups.stream().map(this::entry).toList());
            addSpare(appended);
            List<Waiter> waiters = groups.stream().flatMap(List::stream).toList();
            Edit edit = new Edit(
                    removed,
                    reissue,
                    appended.stream().<Entry>map(OwnEntry::entry).toList(),
                    bound,
                    waiters.stream()
                            .mapToInt(waiter -> waiter.spec().permits())
                            .max()
                            .orElse(0),
                    item.exists()
                            || waiters.stream().anyMatch(waiter -> waiter.spec().onlyIfExists()),
                    data,
                    0,
                    base.getAsLong());
            return new SentEdit(edit, appended, now);
        }

        private OwnEntry entry(List<Waiter> group) {
            Waiter last = group.get(group.size() - 1);
            return new OwnEntry(numbered(last.mode(), group.size()), now, last.arrival(), false);
        }

        /** At the end of a turn, those who have had it often want the lock again: slots for them cost no write then. */
        private void addSpare(List<OwnEntry> appended) {
            int spare = holds.areReleasingExclusively() ? batching.spareSlots(holds.countReleasing(), now) : 0;
            if (!endsTurn || spare == 0 || isNear()) {
                return;
            }
            if (appended.isEmpty()) {
                boolean hasRoom = item.queue().size() - removed.size() < settings.maxQueue();
                boolean othersQueue = item.queue().stream().anyMatch(entry -> !session.equals(entry.session()));
                if (othersQueue && hasRoom) {
                    appended.add(withSpare(spare));
                }
                return;
            }
            OwnEntry last = appended.get(appended.size() - 1);
            if (last.mode() == Mode.EXCLUSIVE) {
                appended.remove(last);
                appended.add(withSpare(spare + last.entry().slots()));
            }
        }

        private OwnEntry withSpare(int slots) {
            return new OwnEntry(numbered(Mode.EXCLUSIVE, slots), now, 0, true);
        }

        /** With so many entries in the queue, the appended ones hold the lock at once. */
        private int boundIfFree(Waiter waiter, int entries) {
            if (waiter.mode() == Mode.PERMIT) {
                return Math.max(entries, waiter.spec().permits());
            }
            boolean isBesideReaders = waiter.mode() == Mode.SHARED
                    && item.queue().stream().allMatch(entry -> entry.mode() == Mode.SHARED);
            return isBesideReaders ? item.queue().size() + entries : entries;
        }
    }
}
