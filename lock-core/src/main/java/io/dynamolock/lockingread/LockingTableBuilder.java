package io.dynamolock.lockingread;

import io.dynamolock.internal.engine.TimeSource;
import io.dynamolock.internal.text.SafeText;
import io.dynamolock.internal.text.ThisProcess;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.MappedTableResource;

/**
 * Builds a {@link LockingTable} or an {@link AsyncLockingTable}. Every setting has a default. All processes that lock
 * items of a table should use the same settings, and must use the same names of attributes. Not thread-safe.
 *
 * @param <T> the class of the items
 * @param <L> what is built
 */
public final class LockingTableBuilder<T, L> {

    private static final Duration SHORTEST_POLL = Duration.ofMillis(1);
    private static final int MAX_OWNER = 256;

    private final MappedTableResource<T> table;
    private final ItemCalls calls;
    private final Function<Locking<T>, L> factory;

    private @Nullable String owner;
    private LockAttributes names = new LockAttributes("lockToken", "lockedBy", "lockedUntil", "lockLease");
    private boolean lockAbsent;
    private @Nullable Duration maxClockSkew;
    private Duration pollMin = Duration.ofMillis(20);
    private Duration pollMax = Duration.ofMillis(500);

    private TimeSource time = TimeSource.system();
    private Pauses pauses;

    LockingTableBuilder(MappedTableResource<T> table, ItemCalls calls, Pauses pauses, Function<Locking<T>, L> factory) {
        this.table = Objects.requireNonNull(table, "table");
        this.calls = calls;
        this.pauses = pauses;
        this.factory = factory;
    }

    /**
     * A name of this process for people, which stands in a locked item and in the exceptions of callers that did not
     * get it; by default host and process id. 1 to 256 characters, none of them a control character. It decides nothing and need not be
     * unique.
     */
    public LockingTableBuilder<T, L> owner(String owner) {
        this.owner = Objects.requireNonNull(owner, "owner");
        return this;
    }

    /** The attribute for the random token that is the lock, by default {@code lockToken}; a string. */
    public LockingTableBuilder<T, L> tokenAttribute(String name) {
        names = new LockAttributes(Objects.requireNonNull(name), names.owner(), names.until(), names.lease());
        return this;
    }

    /** The attribute for the name of the holder, by default {@code lockedBy}; a string. */
    public LockingTableBuilder<T, L> ownerAttribute(String name) {
        names = new LockAttributes(names.token(), Objects.requireNonNull(name), names.until(), names.lease());
        return this;
    }

    /**
     * The attribute for the end of the lease by the holder's wall clock, by default {@code lockedUntil}; a number,
     * milliseconds since 1970.
     */
    public LockingTableBuilder<T, L> untilAttribute(String name) {
        names = new LockAttributes(names.token(), names.owner(), Objects.requireNonNull(name), names.lease());
        return this;
    }

    /** The attribute for the length of the lease, by default {@code lockLease}; a number, milliseconds. */
    public LockingTableBuilder<T, L> leaseAttribute(String name) {
        names = new LockAttributes(names.token(), names.owner(), names.until(), Objects.requireNonNull(name));
        return this;
    }

    /**
     * Locks an item that is not there too, by making one that has only its key and the lock; see {@link
     * LockedItem#isNew}. Other readers see that item. It goes when it is {@linkplain LockedItem#release released}
     * without having been written, but not always if an answer of DynamoDB was lost. By default an absent item is
     * refused, with an {@link ItemNotFoundException}.
     */
    public LockingTableBuilder<T, L> lockAbsentItems() {
        this.lockAbsent = true;
        return this;
    }

    /**
     * Takes over a lock when its end lies back by more than this, by wall clock, in the one call that locks. A caller
     * that comes for the first time gets an item that a dead process left at once. It relies on the clocks: if two of
     * them differ by more than the bound, a lock can be taken over early. The item is safe even so, because the write
     * of the holder is refused then.
     *
     * <p>By default the lease is judged by observation instead: a process takes a lock over when it has itself seen it
     * unchanged, by its monotonic clock, for as long as the lease. No two clocks are ever compared, but a process that
     * sees the lock for the first time waits, or comes again, for a whole lease. It remembers the last 100,000 items that
     * it found locked, between calls too, in about 200 bytes each: 20 MB at most. Visiting more than that in turn without
     * waiting takes none of them over, and then the {@link ItemLockedException} says so.
     *
     * @param maxClockSkew how far the clocks of any two processes may be apart; from zero to a day
     */
    public LockingTableBuilder<T, L> takeOverByWallClock(Duration maxClockSkew) {
        if (maxClockSkew.isNegative() || maxClockSkew.compareTo(Lease.LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "maxClockSkew must be from PT0S to " + Lease.LONGEST + ", but is " + maxClockSkew + ".");
        }
        this.maxClockSkew = maxClockSkew;
        return this;
    }

    /**
     * How long a caller that waits pauses between its tries: {@code min} or less after the first, twice as long after
     * each further one, up to {@code max}. Each try costs a write of the item.
     *
     * @param min by default 20 ms; at least 1 ms
     * @param max by default 500 ms; from {@code min} to a day
     */
    public LockingTableBuilder<T, L> pollInterval(Duration min, Duration max) {
        if (min.compareTo(SHORTEST_POLL) < 0 || max.compareTo(min) < 0 || max.compareTo(Lease.LONGEST) > 0) {
            throw new IllegalArgumentException("pollInterval's min must be at least " + SHORTEST_POLL
                    + " and its max from min to " + Lease.LONGEST + ", but they are " + min + " and " + max + ".");
        }
        this.pollMin = min;
        this.pollMax = max;
        return this;
    }

    LockingTableBuilder<T, L> on(TimeSource time, Pauses pauses) {
        this.time = time;
        this.pauses = pauses;
        return this;
    }

    /**
     * A new table. It asks DynamoDB nothing until it is used, and needs not be closed.
     *
     * @throws IllegalArgumentException if the owner is too long or empty or contains control characters, or the names of the lock's
     *     attributes are not four different ones beside the key's
     */
    public L build() {
        String owner = this.owner == null ? ThisProcess.name(null) : this.owner;
        if (owner.isEmpty() || owner.length() > MAX_OWNER || !SafeText.isPlain(owner)) {
            throw new IllegalArgumentException("The owner must have 1 to " + MAX_OWNER + " characters, all visible,"
                    + " because it is written into each item that is locked, but is " + SafeText.quote(owner) + ".");
        }
        Set<String> different = new HashSet<>(names.all());
        different.remove("");
        different.removeAll(table.tableSchema().tableMetadata().primaryKeys());
        if (different.size() < 4) {
            throw new IllegalArgumentException(
                    "The attributes of the lock need four different names, none of them empty or that of a key, but"
                            + " they are " + names.all() + ": choose others.");
        }
        return factory.apply(new Locking<>(
                new Mapping<>(table),
                calls,
                names,
                lockAbsent,
                new Observations(time, maxClockSkew),
                owner,
                pollMin,
                pollMax,
                time,
                pauses));
    }
}
