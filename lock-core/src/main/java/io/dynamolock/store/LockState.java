package io.dynamolock.store;

import org.jspecify.annotations.Nullable;

/**
 * One lock item as the table has it.
 *
 * @param tail the last ticket issued; 0 if the item does not exist
 * @param serving the last ticket granted; 0 if none ever was, which is smaller than any ticket
 * @param holder the block that holds the lock, {@code null} if nobody does
 */
public record LockState(long tail, long serving, @Nullable Holder holder) {

    /** The state of a lock whose item does not exist. */
    public static final LockState ABSENT = new LockState(0, 0, null);

    public boolean isAbsent() {
        return tail == 0;
    }

    /** Whether this very block holds the lock. */
    public boolean isHeldBy(BlockId block) {
        return holder != null && holder.block().equals(block);
    }
}
