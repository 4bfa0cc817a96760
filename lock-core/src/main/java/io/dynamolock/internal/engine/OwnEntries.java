package io.dynamolock.internal.engine;

import io.dynamolock.internal.collection.RecentlyUsed;
import io.dynamolock.internal.protocol.Edit;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.time.Deadline;
import io.dynamolock.internal.time.Moment;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * This process's session as one lock knows it, and the entries that bear it. An entry is in this list from the sending
 * of its append until it is known or taken to be gone, or its append is known never to land. Without a session there
 * are no entries. Lives on the event loop.
 */
final class OwnEntries {

    /** How many numbers of a turn are remembered. More are not needed: operators name an entry they have just seen. */
    private static final int MOST_USED_NUMBERS = 1_000;

    /** The process's session; {@code null} while it has none. */
    private @Nullable SessionId session;

    /** The session before, which is over; {@code null} if this lock knew of none. */
    private @Nullable SessionId former;

    /**
     * Gives the numbers for the session's entries; all locks of the process share it. Meaningless without a session.
     */
    private EntryNumbers numbers = new EntryNumbers();

    /** In the order of their appends. */
    private final Set<OwnEntry> entries = new LinkedHashSet<>();

    /**
     * The numbers of exclusive entries that were used in the turn that goes on, so that an operator may mean by one of
     * them whoever has the lock in this turn. An eviction clears them, so that a notice that is heard twice evicts one
     * caller; so does the end of the turn or of the session.
     */
    private final Set<Long> usedInTurn = Collections.newSetFromMap(new RecentlyUsed<>(MOST_USED_NUMBERS));

    void sessionBegan(SessionId id, EntryNumbers numbersOfSession) {
        session = id;
        numbers = numbersOfSession;
    }

    void sessionOver() {
        former = session;
        session = null;
        entries.clear();
        usedInTurn.clear();
    }

    /** Whether this item has entries of the session before, which is over. */
    boolean hasFormerIn(LockItem item) {
        return former != null && item.queue().stream().anyMatch(entry -> former.equals(entry.session()));
    }

    @Nullable
    SessionId session() {
        return session;
    }

    boolean isOwn(Entry entry) {
        return session != null && session.equals(entry.session());
    }

    /** Whether one of these entries is not of this process's session. */
    boolean areOthersIn(List<Entry> queue) {
        return !queue.stream().allMatch(this::isOwn);
    }

    /** The first number that no entry of the session has had. */
    long nextNumber() {
        return numbers.next();
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    boolean contains(OwnEntry entry) {
        return entries.contains(entry);
    }

    /** All entries, as they are now. */
    List<OwnEntry> all() {
        return List.copyOf(entries);
    }

    /** The entries that an item has shown, by the entry in the queue. Orphans are not among them. */
    Map<Entry, OwnEntry> shown() {
        return entries.stream()
                .filter(entry -> entry.stage() != OwnEntry.Stage.SENT)
                .collect(Collectors.toMap(OwnEntry::entry, Function.identity()));
    }

    /**
     * The entry that has this number, or had it before a reissue that left its callers holding the lock; {@code null}
     * if there is none.
     */
    @Nullable
    OwnEntry withNumber(long number) {
        return entries.stream()
                .filter(entry -> entry.hasNumber(number))
                .findFirst()
                .orElse(null);
    }

    /**
     * The index of the first own entry from this index on, orphans included; the length of the queue if there is none.
     */
    int firstIn(LockItem item, int from) {
        Stream<Entry> before = item.queue().stream().skip(from).takeWhile(entry -> !isOwn(entry));
        return from + (int) before.count();
    }

    /**
     * The first moment from which a read can show for certain what became of an append; never if there is no append to
     * find out about.
     */
    Deadline nextAppendSettled() {
        return entries.stream().map(OwnEntry::appendSettledAt).reduce(Deadline.NEVER, Deadline::earlier);
    }

    /** Whether a read that is sent at this moment shows for certain what became of an append. */
    boolean isAnyAppendSettled(Moment moment) {
        return entries.stream().anyMatch(entry -> entry.isAppendSettled(moment));
    }

    // What happens to the entries

    /**
     * A caller comes: if it comes too late, the spare slots of entries that may stay are closed to it and to all later
     * callers.
     *
     * @param lastServed the arrival number of the caller that came last before
     * @param isNobodyWaiting whether nobody waits here but for the caller that comes
     */
    void closeSpareSlots(long lastServed, boolean isNobodyWaiting, Moment now) {
        entries.forEach(entry -> entry.closeSpareSlots(lastServed, isNobodyWaiting, now));
    }

    /** An edit uses this many of the next numbers. */
    void useNumbers(int count) {
        numbers.use(count);
    }

    /** An edit was sent. */
    void sent(SentEdit call, Holds holds) {
        entries.addAll(call.appended());
        Edit.Reissue reissue = call.edit().reissue();
        if (reissue != null) {
            OwnEntry reissued = Objects.requireNonNull(shown().get(reissue.from()));
            if (reissue.to() instanceof Entry.OfSession to) {
                reissued.reissueSent(to, holds.countBy(reissued), call.edit().data());
            } else {
                reissued.removalSent();
            }
        }
        takenOutBy(call).forEach(OwnEntry::removalSent);
    }

    /** An edit was refused, or has failed in a way that it never lands. */
    void neverLands(SentEdit call) {
        call.appended().stream()
                .filter(entry -> entry.stage() == OwnEntry.Stage.SENT)
                .forEach(entries::remove);
        Edit.Reissue reissue = call.edit().reissue();
        if (reissue != null) {
            entries.forEach(entry -> entry.reissueRefused(reissue.to()));
        }
        takenOutBy(call).forEach(OwnEntry::removalRefused);
    }

    /** The entries that this edit takes out. */
    List<OwnEntry> takenOutBy(SentEdit call) {
        Set<Entry> removed = new HashSet<>(call.edit().removed().values());
        return removed.isEmpty()
                ? List.of()
                : entries.stream()
                        .filter(entry -> removed.contains(entry.entry()))
                        .toList();
    }

    /** Whether an edit may still land, as far as this item shows, which is newer than the one that led to the edit. */
    boolean mayStillLand(SentEdit call, LockItem item) {
        Edit edit = call.edit();
        // Entries that the edit takes out or reissues are in its condition.
        boolean isConditionMet = edit.removed().values().stream().allMatch(entry -> item.indexOf(entry) >= 0)
                && (edit.reissue() == null || item.indexOf(edit.reissue().from()) >= 0);
        boolean isAppendShown = call.appended().stream().anyMatch(entry -> entry.stage() != OwnEntry.Stage.SENT);
        boolean appendsOnly = edit.removed().isEmpty() && edit.reissue() == null;
        return !isAppendShown && (isConditionMet || appendsOnly);
    }

    /**
     * Forgets each entry that no item has shown and whose append could take effect only before this moment. If the
     * append has taken effect, the entry is an orphan from now on.
     */
    void forgetSettledAppends(Moment moment) {
        entries.removeIf(entry -> entry.isAppendSettled(moment));
    }

    /** Forgets an entry that is gone from the item. */
    void remove(OwnEntry entry) {
        entries.remove(entry);
    }

    /** An exclusive entry has been used in the turn that goes on. */
    void usedInTurn(OwnEntry entry) {
        entry.numbers().forEach(usedInTurn::add);
    }

    /** Whether an exclusive entry had this number and was used in the turn that goes on. */
    boolean wasUsedInTurn(long number) {
        return usedInTurn.contains(number);
    }

    /** The turn is over, or an operator has evicted who had the lock in it. */
    void forgetUsedInTurn() {
        usedInTurn.clear();
    }

    /** The unused slots of all entries serve nobody any more. */
    void dropUnused() {
        entries.forEach(OwnEntry::dropUnused);
    }
}
