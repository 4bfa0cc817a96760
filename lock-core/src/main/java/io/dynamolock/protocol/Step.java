package io.dynamolock.protocol;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.protocol.Change.Append;
import io.dynamolock.protocol.Change.Issue;
import io.dynamolock.protocol.Change.Permits;
import io.dynamolock.protocol.Change.Remove;
import io.dynamolock.protocol.Change.Replace;
import io.dynamolock.protocol.Change.SetData;
import io.dynamolock.protocol.Condition.EntryAt;
import io.dynamolock.protocol.Condition.Exists;
import io.dynamolock.protocol.Condition.Missing;
import io.dynamolock.protocol.Condition.NobodyAt;
import io.dynamolock.protocol.Condition.PermitsAre;
import io.dynamolock.protocol.Condition.PermitsAreNot;
import io.dynamolock.protocol.Condition.PutsAre;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The steps of the lock protocol: each is one conditional write of a lock's item. Safe to send again: a step whose
 * effect is there already is refused, and the answer shows the effect.
 */
public sealed interface Step {

    /** All of them must hold. */
    List<Condition> conditions();

    /** No two of them touch the same entry; places are those before the step. */
    List<Change> changes();

    /** What the step does to this item. */
    default Answer<LockItem> on(LockItem item) {
        for (Condition condition : conditions()) {
            if (!condition.holds(item)) {
                return new Answer.Refused<>(item);
            }
        }
        LockItem changed = item;
        for (Change change : changes()) {
            changed = change.on(changed);
        }
        return new Answer.Applied<>(changed);
    }

    /**
     * A block takes its tickets and its place in the queue; if it is first, it holds the lock.
     *
     * @param base what the tickets of a new item start from: the wall clock in microseconds since the epoch, so that
     *     numbers keep rising after an unused item was removed
     * @param most how many blocks the queue may have
     * @param permits for a block that asks for a permit, how many the lock has, which the first such ask settles; else 0
     * @param mustExist whether the lock must have an item already
     */
    record Ask(Entry entry, long base, int most, int permits, boolean mustExist) implements Step {

        public Ask {
            if (permits > 0 != entry.mode().equals(Mode.PERMIT)) {
                throw new IllegalArgumentException("not a number of permits for " + entry + ": " + permits);
            }
        }

        public Ask(Entry entry, long base, int most, int permits) {
            this(entry, base, most, permits, false);
        }

        /** For a block that does not ask for a permit. */
        public Ask(Entry entry, long base, int most) {
            this(entry, base, most, 0);
        }

        @Override
        public List<Condition> conditions() {
            List<Condition> conditions = new ArrayList<>(List.of(new NobodyAt(most - 1), new Missing(entry)));
            if (permits > 0) {
                conditions.add(new PermitsAre(permits));
            }
            if (mustExist) {
                conditions.add(new Exists());
            }
            return conditions;
        }

        @Override
        public List<Change> changes() {
            List<Change> changes = new ArrayList<>(List.of(new Issue(entry.callers(), base), new Append(entry)));
            if (permits > 0) {
                changes.add(new Permits(permits));
            }
            return changes;
        }

        /** For a caller that does not wait: only if nobody stands in the queue. */
        public static Ask ifFree(Entry entry, long base) {
            return new Ask(entry, base, 1);
        }

        /** The same with another base. */
        public Ask from(long otherBase) {
            return new Ask(entry, otherBase, most, permits, mustExist);
        }

        /** The same, but only if the lock has an item already. */
        public Ask ifExists() {
            return new Ask(entry, base, most, permits, true);
        }
    }

    /** Further callers join a block that is last in the queue. */
    record Grow(int index, Entry entry, int by) implements Step {

        @Override
        public List<Condition> conditions() {
            return List.of(new EntryAt(index, entry), new NobodyAt(index + 1));
        }

        @Override
        public List<Change> changes() {
            // The item exists, for the entry stands in it: no base is needed.
            return List.of(new Issue(by, 0), new Replace(index, entry.grownBy(by)));
        }
    }

    /**
     * Takes blocks out of the queue: the release of a lock, the end of a wait, or the clearing away of the dead. If the
     * first goes, the next holds the lock by the same write.
     *
     * @param data what the holder leaves to the next, {@code null} to leave the data as it is
     */
    record Leave(
            NavigableMap<Integer, Entry> entries, @Nullable LockData data) implements Step {

        /** More in one write would exceed what an expression may contain. */
        public static final int MOST = 100;

        public Leave {
            entries = new TreeMap<>(entries);
            if (entries.isEmpty() || entries.size() > MOST) {
                throw new IllegalArgumentException("not a number of entries for one step: " + entries.size());
            }
        }

        public Leave(NavigableMap<Integer, Entry> entries) {
            this(entries, null);
        }

        public static Leave of(int index, Entry entry) {
            return of(index, entry, null);
        }

        public static Leave of(int index, Entry entry, @Nullable LockData data) {
            return new Leave(new TreeMap<>(Map.of(index, entry)), data);
        }

        @Override
        public List<Condition> conditions() {
            List<Condition> conditions = new ArrayList<>();
            entries.forEach((index, entry) -> conditions.add(new EntryAt(index, entry)));
            return conditions;
        }

        /** From the end, so that each place is still the one before the step. */
        @Override
        public List<Change> changes() {
            List<Change> changes = new ArrayList<>();
            entries.descendingMap().forEach((index, entry) -> changes.add(new Remove(index)));
            addData(changes, data);
            return changes;
        }
    }

    /**
     * A block that holds the lock goes on under a new number: the rest of one from which a caller was forced out, who may
     * still be running; or a writer that shares the lock from now on. To the same entry, it just keeps the item from being
     * cleaned away.
     *
     * @param data what the last holder leaves to the next, {@code null} to leave the data as it is
     */
    record Rename(int index, Entry from, Entry to, @Nullable LockData data) implements Step {

        public Rename(int index, Entry from, Entry to) {
            this(index, from, to, null);
        }

        /** Of the first. */
        public Rename(Entry from, Entry to, @Nullable LockData data) {
            this(0, from, to, data);
        }

        /** Of the first. */
        public Rename(Entry from, Entry to) {
            this(0, from, to, null);
        }

        @Override
        public List<Condition> conditions() {
            return List.of(new EntryAt(index, from));
        }

        @Override
        public List<Change> changes() {
            List<Change> changes = new ArrayList<>(List.of(new Replace(index, to)));
            addData(changes, data);
            return changes;
        }
    }

    /**
     * The holder writes the user's data. Only while its block holds the lock, and only over the data that it knows: so what
     * lands late changes nothing.
     *
     * @param puts how often the data was written before
     */
    record Put(Entry entry, long puts, LockData data) implements Step {

        @Override
        public List<Condition> conditions() {
            return List.of(new EntryAt(0, entry), new PutsAre(puts));
        }

        @Override
        public List<Change> changes() {
            return List.of(new SetData(data));
        }
    }

    /** Gives the lock another number of permits, for all. Blocks that hold more permits than that keep them. */
    record Resize(int permits) implements Step {

        public Resize {
            if (permits < 1) {
                throw new IllegalArgumentException("not a number of permits: " + permits);
            }
        }

        @Override
        public List<Condition> conditions() {
            return List.of(new PermitsAreNot(permits));
        }

        @Override
        public List<Change> changes() {
            return List.of(new Permits(permits));
        }
    }

    private static void addData(List<Change> changes, @Nullable LockData data) {
        if (data != null) {
            changes.add(new SetData(data));
        }
    }
}
