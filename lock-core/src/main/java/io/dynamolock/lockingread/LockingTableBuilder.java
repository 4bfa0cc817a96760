package io.dynamolock.lockingread;

import io.dynamolock.internal.text.PersonalText;
import io.dynamolock.internal.text.SafeText;
import io.dynamolock.internal.text.ThisProcess;
import io.dynamolock.internal.time.StoreClock;
import io.dynamolock.internal.time.TimeSource;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.MappedTableResource;

/**
 * Builds a {@link LockingTable} or an {@link AsyncLockingTable}. Every setting has a default. All processes that lock
 * items of a table must use the same names of the lock's attributes; their other settings may differ. Not thread-safe.
 *
 * @param <T> the class of the items
 * @param <L> the class of the table that is built
 */
public final class LockingTableBuilder<T, L> {

    private static final Duration SHORTEST_POLL = Duration.ofMillis(1);
    /** Maximum length of an owner's name. */
    private static final int MAX_OWNER = 256;

    private final MappedTableResource<T> table;
    private final ItemCalls calls;
    private final Function<Locking<T>, L> factory;

    /** {@code null} for host and process id. */
    private @Nullable String owner;

    private LockAttributes names = new LockAttributes("lockToken", "lockedBy", "lockedUntil", "lockLease");
    private boolean lockAbsent;
    private Duration pollMin = Duration.ofMillis(20);
    private Duration pollMax = Duration.ofMillis(500);

    private TimeSource time = TimeSource.system();
    private Delayer delayer;

    LockingTableBuilder(
            MappedTableResource<T> table, ItemCalls calls, Delayer delayer, Function<Locking<T>, L> factory) {
        this.table = Objects.requireNonNull(table, "table");
        this.calls = calls;
        this.delayer = delayer;
        this.factory = factory;
    }

    /**
     * A name of this process for people. Locked items contain it, and so do the exceptions of callers that find an item
     * locked. It has no other effect, and need not be unique. By default, it consists of host and process id.
     *
     * @param owner 1 to 256 characters, none of them a control character
     */
    public LockingTableBuilder<T, L> owner(String owner) {
        this.owner = Objects.requireNonNull(owner, "owner");
        return this;
    }

    /**
     * The attribute for the token that identifies the lock, a string; by default {@code lockToken}. It is random text
     * and a count of the calls that have written it.
     */
    public LockingTableBuilder<T, L> tokenAttribute(String name) {
        names = new LockAttributes(Objects.requireNonNull(name), names.owner(), names.until(), names.lease());
        return this;
    }

    /** The attribute for the name of the holder, a string; by default {@code lockedBy}. */
    public LockingTableBuilder<T, L> ownerAttribute(String name) {
        names = new LockAttributes(names.token(), Objects.requireNonNull(name), names.until(), names.lease());
        return this;
    }

    /**
     * The attribute for the end of the lease, a number of milliseconds since the epoch; by default {@code lockedUntil}.
     * The end is by the holder's wall clock or DynamoDB's clock, whichever is later. The attribute is absent if the
     * holder does not know DynamoDB's time.
     */
    public LockingTableBuilder<T, L> untilAttribute(String name) {
        names = new LockAttributes(names.token(), names.owner(), Objects.requireNonNull(name), names.lease());
        return this;
    }

    /** The attribute for the length of the lease, a number of milliseconds; by default {@code lockLease}. */
    public LockingTableBuilder<T, L> leaseAttribute(String name) {
        names = new LockAttributes(names.token(), names.owner(), names.until(), Objects.requireNonNull(name));
        return this;
    }

    /**
     * Allows locking an item that does not exist, by creating an item with nothing but the key and the lock; see {@link
     * LockedItem#isNew}. Other readers see that item. The item is deleted if it is {@linkplain LockedItem#release
     * released} without having been written, but may stay if an answer of DynamoDB was lost. By default, locking an
     * absent item fails with an {@link ItemNotFoundException}.
     */
    public LockingTableBuilder<T, L> lockAbsentItems() {
        this.lockAbsent = true;
        return this;
    }

    /**
     * The pauses of a waiting caller between its tries: at most {@code min} after the first try, and twice as long
     * after each further try, up to {@code max}. Each try costs a write of the item.
     *
     * @param min at least 1 ms; by default 20 ms
     * @param max from {@code min} to a day; by default 500 ms
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

    /** For tests: replaces the clocks and the pauses. */
    LockingTableBuilder<T, L> on(TimeSource time, Delayer delayer) {
        this.time = time;
        this.delayer = delayer;
        return this;
    }

    /**
     * A new table. It makes no call before it is used, and need not be closed.
     *
     * @throws IllegalArgumentException if the owner's name is empty, too long or contains control characters; or if the
     *     lock's attributes do not have four different names, none of them that of a key attribute
     */
    public L build() {
        String owner = this.owner == null ? ThisProcess.name(null) : this.owner;
        if (owner.isEmpty() || owner.length() > MAX_OWNER || !SafeText.isPlain(owner)) {
            throw new IllegalArgumentException("The owner must have 1 to " + MAX_OWNER + " characters, all visible,"
                    + " because it is written into each item that is locked, but is "
                    + PersonalText.quoted(owner) + ".");
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
                new Observations(time),
                new StoreClock(),
                owner,
                pollMin,
                pollMax,
                time,
                delayer));
    }
}
