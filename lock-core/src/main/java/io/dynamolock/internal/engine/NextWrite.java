package io.dynamolock.internal.engine;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.protocol.Edit;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.protocol.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
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
 * What to write about a lock next. Nothing else in the engine decides on a write. {@link LockState} asks it after each event while the
 * session is valid, no edit of the lock is under way and no pause after a failure; and each time it looks at all that there is to do.
 *
 * <p>An edit is due when a turn is over, when an entry serves nobody (but finished ones, unless they are permits, wait for the end of their
 * turn, and spare ones a moment), when somebody waits here behind a dead process or a kept entry that is over, when there is an orphan,
 * when a holder writes data, goes on as a reader or must keep the item from its TTL, when a former holder's fence or data is in the way of
 * the next one ({@link #chooseReissue}), or when waiters have no slot. It then does as much of that as one edit can. Waiters that come
 * while their process has its turn, or stands near the front, gather for a moment, so that they share an append; permits do not. Callers
 * that do not wait have an edit for themselves, unless others are appended with them.
 */
final class NextWrite {

    /** So many entries of a process wait in one queue at the most, and only one once the queue is half full. */
    static final int MOST_WAITING = 16;

    /** A turn that does not end takes its finished entries out when there are so many. */
    private static final int MOST_FINISHED = 50;

    /** An expression must not get too long. */
    private static final int MOST_APPENDED = 100;

    /** A process with one of the first so many entries will soon have its turn. */
    private static final int NEAR = 4;

    private static final Duration SHORTEST_GATHERING = Duration.ofMillis(1);

    /** For so long an entry in the queue is kept for a caller that may come back. */
    private static final Duration SPARE_PATIENCE = Duration.ofMillis(50);

    /**
     * After a waiter gave up, its slot may serve another that comes for so long. Without that, processes whose callers wait for a moment
     * again and again stand in each other's way: each is gone when the lock comes to it.
     */
    private static final Duration MOMENT = Duration.ofMillis(5);

    /**
     * What is known and wanted.
     *
     * @param item the newest item; absent if none was seen
     * @param nextNumber the session's next number for an entry
     * @param base what the tail of a new item is to start from
     * @param entries own entries, whether they stand or not
     * @param waiters in the order in which they came
     * @param over what others have left in the queue and nobody will release, by place
     * @param touch whether the item is to be written so that it is not removed as unused
     * @param lastGaveUp when a waiter gave up last, by the monotonic clock; {@code null} for never
     * @param comingBack how many callers have just released the lock and will probably want it again soon
     * @param maxQueue how many entries the queue may have
     * @param meanCall how long a call takes
     * @param meanSection how long a holder has the lock
     */
    record View(
            LockItem item,
            SessionId session,
            LongSupplier nextNumber,
            long base,
            List<OwnEntry> entries,
            Collection<Waiter> waiters,
            Collection<Hold> holds,
            NavigableMap<Integer, Entry> over,
            boolean touch,
            @Nullable Long lastGaveUp,
            int comingBack,
            int maxQueue,
            Duration meanCall,
            Duration meanSection) {}

    /**
     * @param edit what to send; {@code null} for nothing
     * @param askAgain when to ask again, by the monotonic clock, if nothing happens before; {@link Long#MAX_VALUE} for not
     */
    record Decision(@Nullable SentEdit edit, long askAgain) {}

    private final View view;
    private final LockItem item;
    private final long now;
    /** What is known of own entries that stand; nothing of orphans. */
    private final Map<Entry, OwnEntry> own;

    private final Set<Waiter> unserved;
    private final Map<OwnEntry, List<Waiter>> served;
    private final NavigableMap<Integer, Entry> removed = new TreeMap<>();
    private Edit.@Nullable Reissue reissue;
    private @Nullable LockData data;
    private boolean due;
    private boolean turnEnds;
    private long askAgain = Long.MAX_VALUE;

    private NextWrite(View view, long now) {
        this.view = view;
        this.item = view.item();
        this.now = now;
        this.own = OwnEntry.known(view.entries());
        this.unserved = new LinkedHashSet<>(view.waiters());
        this.served = served(standing(), unserved, item);
    }

    static Decision next(View view, long now) {
        return new NextWrite(view, now).decide();
    }

    private Decision decide() {
        takeOut();
        chooseReissue();
        List<List<Waiter>> groups = withRoom();
        long gathering = groups.isEmpty() ? 0 : gathering(groups);
        if (gathering > 0) {
            askAgain = Math.min(askAgain, now + gathering);
            groups = List.of();
        }
        if (!due && groups.isEmpty()) {
            return new Decision(null, askAgain);
        }
        boolean areTries =
                !groups.isEmpty() && groups.stream().flatMap(List::stream).allMatch(Waiter::isTry);
        // Whether the lock is free is asked for by itself, when all else is done.
        boolean onlyIfFree = areTries && !due;
        if (onlyIfFree) {
            removed.clear();
            groups = thatMayHoldAtOnce(groups);
        } else if (areTries) {
            groups = List.of();
        }
        SentEdit edit = edit(groups, onlyIfFree);
        boolean isKnown = onlyIfFree && groups.stream().flatMap(List::stream).allMatch(waiter -> waiter.isHeard);
        if (isKnown && !edit.edit().on(item).isApplied()) {
            // The store has said it already.
            return new Decision(null, askAgain);
        }
        return new Decision(edit, Long.MAX_VALUE);
    }

    /**
     * Whom each of these entries serves that stand in this order: each waiter is served by the first that can.
     *
     * @param waiters in the order in which they came; those who are served are taken out
     */
    static Map<OwnEntry, List<Waiter>> served(List<OwnEntry> entries, Set<Waiter> waiters, LockItem item) {
        Map<OwnEntry, List<Waiter>> served = new HashMap<>();
        for (OwnEntry entry : entries) {
            List<Waiter> its = new ArrayList<>();
            int left = entry.slotsLeft();
            Iterator<Waiter> each = waiters.iterator();
            while (left > 0 && each.hasNext()) {
                Waiter next = each.next();
                if (entry.mayServe(next, item)) {
                    left = next.spec.kind().needsEntryForItself() ? 0 : left - 1;
                    its.add(next);
                    each.remove();
                }
            }
            served.put(entry, its);
        }
        return served;
    }

    /** Those that stand, in the order of the queue. */
    private List<OwnEntry> standing() {
        return item.queue().stream()
                .map(own::get)
                .filter(Objects::nonNull)
                .distinct()
                .toList();
    }

    private void takeOut() {
        int holders = item.holders();
        boolean turnGoesOn = false;
        NavigableMap<Integer, OwnEntry> finished = new TreeMap<>();
        removed.putAll(view.over());
        for (int i = 0; i < item.queue().size() && removed.size() < Edit.MOST_REMOVED; i++) {
            Entry entry = item.queue().get(i);
            if (!view.session().equals(entry.session())) {
                continue;
            }
            OwnEntry known = own.get(entry);
            if (known == null) {
                removed.put(i, entry);
            } else if (known.stage() == OwnEntry.Stage.REMOVING) {
                takeOut(i, known);
            } else if (isWanted(known)) {
                turnGoesOn |= i < holders;
            } else if (i >= holders && now - spareUntil(known) < 0) {
                askAgain = Math.min(askAgain, spareUntil(known));
            } else if (i < holders && known.mode() != Mode.PERMIT) {
                finished.put(i, known);
            } else {
                takeOut(i, known);
            }
        }
        due |= !removed.isEmpty();
        boolean blocks = finished.values().stream().anyMatch(OwnEntry::keepsNextWaiting);
        // Exclusive ones go with the next append. That of readers who do not wait takes nothing out.
        boolean takeRoom = item.queue().size() >= view.maxQueue() / 2
                && finished.values().stream().anyMatch(own -> own.mode() == Mode.SHARED);
        due |= !finished.isEmpty() && (!turnGoesOn || blocks || takeRoom || finished.size() >= MOST_FINISHED);
        turnEnds = !turnGoesOn && finished.values().stream().anyMatch(OwnEntry::isUsed);
        finished.forEach((index, own) -> {
            if (removed.size() < Edit.MOST_REMOVED) {
                takeOut(index, own);
            }
        });
    }

    private void takeOut(int index, OwnEntry known) {
        Instant keptUntil = known.keptUntil;
        if (keptUntil == null) {
            removed.put(index, known.entry());
            if (known.left != null && index < item.holders()) {
                data = known.left;
            }
        } else if (reissue == null && index < item.holders()) {
            // Where a network has delivered its append twice, another stands further back: that goes when this is kept.
            reissue = new Edit.Reissue(index, known.entry(), new Entry.Kept(known.mode(), keptUntil));
            data = known.left == null ? data : known.left;
            due = true;
        }
    }

    private boolean isWanted(OwnEntry own) {
        return !Hold.by(own, view.holds()).isEmpty()
                || !served.getOrDefault(own, List.of()).isEmpty();
    }

    /** Until when it is kept for callers that may come. */
    private long spareUntil(OwnEntry own) {
        long forOthers = view.lastGaveUp() == null ? now : view.lastGaveUp() + MOMENT.toNanos();
        if (own.mode() == Mode.SHARED || own.slotsLeft() == 0) {
            return now;
        }
        return own.hasSpare ? Math.max(forOthers, own.sentNanos + SPARE_PATIENCE.toNanos()) : forOthers;
    }

    /** One entry gets a new number at a time, the first of them that needs one. */
    private void chooseReissue() {
        int holders = item.holders();
        for (int i = 0; i < holders && reissue == null && data == null; i++) {
            OwnEntry known = own.get(item.queue().get(i));
            if (known == null || removed.containsKey(i) || known.stage() == OwnEntry.Stage.REMOVING) {
                continue;
            }
            List<Hold> holds = Hold.by(known, view.holds());
            boolean isTurning = known.mode() == Mode.EXCLUSIVE && holds.stream().anyMatch(hold -> hold.isTurning);
            LockData put = holds.stream()
                    .map(hold -> hold.put)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(null);
            int slots = holds.size() + known.slotsLeft();
            boolean nextWaits = holds.isEmpty() && known.keepsNextWaiting();
            if (isTurning) {
                reissue = new Edit.Reissue(i, known.entry(), entry(Mode.SHARED, 1));
            } else if (slots > 0
                    && (put != null || nextWaits || known.isBeingReissued() || view.touch() && !holds.isEmpty())) {
                reissue = new Edit.Reissue(i, known.entry(), entry(known.mode(), slots));
            }
            if (reissue != null) {
                data = put != null ? put : known.left;
                due = true;
            }
        }
    }

    private Entry.OfSession entry(Mode mode, int slots) {
        long number = view.nextNumber().getAsLong();
        return new Entry.OfSession(view.session(), number, mode, Math.min(slots, Entry.OfSession.mostSlots(number)));
    }

    /** Those who need slots, as far as there is room for their entries: those of a group share one. */
    private List<List<Waiter>> withRoom() {
        int standing = item.queue().size() - removed.size();
        IntStream waiting = IntStream.range(item.holders(), item.queue().size())
                .filter(i -> own.containsKey(item.queue().get(i)) && !removed.containsKey(i));
        long most = (item.queue().size() >= view.maxQueue() / 2 ? 1 : MOST_WAITING) - waiting.count();
        List<List<Waiter>> groups = new ArrayList<>();
        List<Waiter> group = List.of();
        Waiter first = null;
        int permits = 0;
        for (Waiter waiter : unserved) {
            first = first == null ? waiter : first;
            permits = permits == 0 ? waiter.spec.permits() : permits;
            if (waiter.spec.permits() > 0 && waiter.spec.permits() != permits) {
                continue;
            }
            if (!item.exists() && waiter.spec.onlyIfExists() != first.spec.onlyIfExists()) {
                // Who makes the item does so for those who come after it.
                break;
            }
            if (group.isEmpty() || isApart(group.get(0), waiter) || group.size() == Entry.OfSession.mostSlots(1)) {
                boolean holdsAtOnce = waiter.mode() == Mode.PERMIT && standing + groups.size() < permits;
                if (groups.size() >= Math.min(view.maxQueue() - standing, MOST_APPENDED)
                        || !holdsAtOnce && groups.size() >= most) {
                    break;
                }
                group = new ArrayList<>();
                groups.add(group);
            }
            group.add(waiter);
        }
        return groups;
    }

    /** As many permits as may be free; one is asked for in any case. */
    private List<List<Waiter>> thatMayHoldAtOnce(List<List<Waiter>> groups) {
        int permits = groups.get(0).get(0).spec.permits();
        int free = Math.max(1, permits - item.queue().size());
        return permits == 0 || groups.size() <= free ? groups : groups.subList(0, free);
    }

    private static boolean isApart(Waiter one, Waiter next) {
        return one.mode() != next.mode()
                || one.spec.kind().needsEntryForItself()
                || next.spec.kind().needsEntryForItself();
    }

    /** How much longer those who need slots wait for others who may come; zero for not at all. */
    private long gathering(List<List<Waiter>> groups) {
        Waiter first = groups.get(0).get(0);
        if (!isNear() || first.mode() == Mode.PERMIT) {
            return 0;
        }
        long rest = groups.stream()
                .flatMap(List::stream)
                .mapToLong(waiter -> waiter.gathersUntil - now)
                .min()
                .orElse(0);
        boolean areAlone =
                item.queue().stream().allMatch(entry -> view.session().equals(entry.session()));
        if (areAlone) {
            // The answer is to come when the slots are used up. If they are before any answer could come, the turn's
            // end takes all along.
            int slotsLeft = standing().stream()
                    .filter(own -> item.indexOf(own.entry()) < item.holders())
                    .mapToInt(own -> served.getOrDefault(own, List.of()).size())
                    .sum();
            Duration turn = view.meanSection().multipliedBy(slotsLeft);
            boolean endsSoon = turn.plus(view.meanSection()).compareTo(view.meanCall()) < 0;
            Duration until = endsSoon ? view.meanCall() : turn.minus(view.meanCall());
            rest = Math.min(rest, until.toNanos());
        }
        // It counts from now each time: without a least it would ask again and again.
        return rest <= 0 ? 0 : Math.max(SHORTEST_GATHERING.toNanos(), rest);
    }

    /** Whether this process has its turn, or will have it soon. */
    private boolean isNear() {
        int near = Math.max(NEAR, item.holders());
        return item.queue().stream()
                .limit(near)
                .map(own::get)
                .anyMatch(own -> own != null && own.stage() == OwnEntry.Stage.STANDING && isWanted(own));
    }

    private SentEdit edit(List<List<Waiter>> groups, boolean onlyIfFree) {
        List<OwnEntry> entries =
                new ArrayList<>(groups.stream().map(this::entry).toList());
        addSpare(entries);
        List<Waiter> waiters = groups.stream().flatMap(List::stream).toList();
        Edit edit = new Edit(
                removed,
                reissue,
                entries.stream().<Entry>map(OwnEntry::entry).toList(),
                onlyIfFree ? boundIfFree(groups.get(0).get(0), groups.size()) : view.maxQueue(),
                waiters.stream().mapToInt(waiter -> waiter.spec.permits()).max().orElse(0),
                item.exists() || waiters.stream().anyMatch(waiter -> waiter.spec.onlyIfExists()),
                data,
                0,
                view.base());
        return new SentEdit(edit, entries, now);
    }

    private OwnEntry entry(List<Waiter> group) {
        Waiter last = group.get(group.size() - 1);
        return new OwnEntry(entry(last.mode(), group.size()), now, last.arrival, false);
    }

    /** At the end of a turn, those who have had it often want the lock again: slots for them cost no write then. */
    private void addSpare(List<OwnEntry> entries) {
        OwnEntry last = entries.isEmpty() ? null : entries.get(entries.size() - 1);
        boolean hasRoom = item.queue().size() - removed.size() < view.maxQueue();
        boolean othersQueue =
                item.queue().stream().anyMatch(entry -> !view.session().equals(entry.session()));
        if (turnEnds
                && view.comingBack() > 0
                && !isNear()
                && (last == null ? othersQueue && hasRoom : last.mode() == Mode.EXCLUSIVE)) {
            int slots = view.comingBack();
            if (last != null) {
                slots += last.entry().slots();
                entries.remove(last);
            }
            entries.add(new OwnEntry(entry(Mode.EXCLUSIVE, slots), now, 0, true));
        }
    }

    /** With so many entries, the lock can be had at once. */
    private int boundIfFree(Waiter waiter, int entries) {
        if (waiter.mode() == Mode.PERMIT) {
            return Math.max(entries, waiter.spec.permits());
        }
        boolean isBesideReaders =
                waiter.mode() == Mode.SHARED && item.queue().stream().allMatch(each -> each.mode() == Mode.SHARED);
        return isBesideReaders ? item.queue().size() + entries : entries;
    }
}
