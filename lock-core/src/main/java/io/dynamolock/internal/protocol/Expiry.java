package io.dynamolock.internal.protocol;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When DynamoDB's TTL may remove a lock's item. Processes may have different retentions, and no process may make the
 * item of a lock go that another process uses:
 *
 * <ul>
 *   <li>Every process writes a time that is at least two days ahead: its retention, of at least a day, and a {@link
 *       #MARGIN}.
 *   <li>An edit that was made from an item writes only a later time than the item has ({@link #toWrite}). An edit
 *       without such an item writes a time only if the item has none.
 *   <li>While a process holds a lock or waits for it, the item has more than a day left: an answer that shows less
 *       leads to a write at once ({@link #isTooSoon}), and holders, who may read nothing, write every {@link
 *       #REWRITE}.
 *   <li>The item of a kept entry, which nobody may look at for days, lasts a day longer than the entry.
 * </ul>
 *
 * <p>The time can fall in one case only. Two edits are made from the same item, both write a later time than that, and
 * the earlier of these lands last. Even so it is two days ahead, so the holder's next write finds a day or more left;
 * and if the item has a kept entry, the answer to the edit that landed last shows that the item would go too soon.
 */
public final class Expiry {

    /** How long an item that is in use has left at least, and how much longer than a kept entry its item lasts. */
    public static final Duration MARGIN = Duration.ofDays(1);

    /** How often a holder writes the item at least. Half of the {@link #MARGIN}, so that a write may be late. */
    public static final Duration REWRITE = MARGIN.dividedBy(2);

    /** A time that is later than the item's by no more than this is not worth a place in the edit. */
    private static final Duration NO_GAIN = Duration.ofHours(1);

    private Expiry() {}

    /**
     * The time that a process writes into an item of which it knows nothing else.
     *
     * @param now the latest time that the process takes for possible
     * @param retention how long the item of an unused lock stays in the table, as this process is set up
     */
    public static Instant of(Instant now, Duration retention) {
        return inWholeSeconds(now.plus(retention).plus(MARGIN));
    }

    /**
     * The time that an edit writes; {@code null} if it leaves the item's time alone.
     *
     * @param seen the item that the edit was made from; absent if the process knows of no item
     * @param kept an entry that the edit makes a kept one; {@code null} if it makes none
     * @param now {@code null} if the process does not know the store's time
     */
    public static @Nullable Instant toWrite(
            LockItem seen, Entry.@Nullable Kept kept, @Nullable Instant now, Duration retention) {
        if (now == null || !seen.exists()) {
            return null;
        }
        Instant wanted = later(of(now, retention), later(endOfKept(seen), kept == null ? Instant.EPOCH : end(kept)));
        Instant present = seen.expiresAt();
        return present == null || wanted.isAfter(present.plus(NO_GAIN)) ? wanted : null;
    }

    /**
     * The time that a holder writes who does not know the store's time: a {@link #MARGIN} later than the item has, for
     * each {@link #REWRITE} that has passed by the holder's own clock; {@code null} if the item has none.
     */
    public static @Nullable Instant postponed(LockItem seen) {
        return seen.expiresAt() == null ? null : seen.expiresAt().plus(MARGIN);
    }

    /**
     * Whether TTL could remove the item while it is needed, so that somebody must write it at once.
     *
     * @param isInUse whether this process holds the lock or waits for it
     * @param now {@code null} if the process does not know the store's time, and so cannot tell
     */
    public static boolean isTooSoon(LockItem item, boolean isInUse, @Nullable Instant now) {
        Instant present = item.expiresAt();
        if (present == null || now == null) {
            return false;
        }
        Instant needed = later(endOfKept(item).minus(NO_GAIN), isInUse ? soon(now) : Instant.EPOCH);
        return present.isBefore(needed);
    }

    /** An item that may be removed before this time is not to be used as it is. */
    public static Instant soon(Instant now) {
        return now.plus(MARGIN);
    }

    /** Until when the item must last for its kept entries. */
    private static Instant endOfKept(LockItem item) {
        return item.queue().stream()
                .filter(Entry.Kept.class::isInstance)
                .map(entry -> end((Entry.Kept) entry))
                .reduce(Instant.EPOCH, Expiry::later);
    }

    /** The margin, and as much as {@link #toWrite} may leave out. */
    private static Instant end(Entry.Kept kept) {
        return inWholeSeconds(kept.until().plus(MARGIN).plus(NO_GAIN));
    }

    private static Instant inWholeSeconds(Instant time) {
        return Instant.ofEpochSecond(time.getEpochSecond());
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }
}
