package io.dynamolock.engine;

import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.Eviction;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The numbers by which a block goes: that of its entry, the one that it is about to get, and, for those who have seen it
 * before, those that it had. Lives on the event loop.
 */
final class BlockNumbers {

    private Entry entry;
    private @Nullable Entry next;
    private final List<BlockId> former = new ArrayList<>(0);
    private int countedAtRename;

    BlockNumbers(Entry first) {
        entry = first;
    }

    /** The entry as it was last seen in the table. */
    Entry entry() {
        return entry;
    }

    void showsAs(Entry seen) {
        entry = seen;
    }

    /** Shown by an answer that may be older than the last one: a block has never fewer callers than before. */
    void mayShowAs(Entry seen) {
        if (seen.callers() > entry.callers()) {
            entry = seen;
        }
    }

    /** It shall go on as this: until that is answered, it goes by both. */
    void rename(Entry as) {
        next = as;
    }

    /** Its new number, if it may have it already. */
    @Nullable
    BlockId next() {
        return next == null ? null : next.block();
    }

    /**
     * It goes on under its new number.
     *
     * @param served whether a caller has, or had, the lock by the block
     */
    void isRenamed(boolean served) {
        if (next != null) {
            boolean goesOnInAnotherWay = next.mode() != entry.mode();
            // Who was seen by the old number, and was to be put out, may have its turn only now, or go on as a reader.
            if (served && !goesOnInAnotherWay) {
                former.clear();
            } else {
                former.add(entry.block());
            }
            entry = next;
            next = null;
            countedAtRename = entry.callers();
        }
    }

    boolean goesBy(BlockId id) {
        return id.equals(entry.block()) || (next != null && id.equals(next.block()));
    }

    /** Whether an eviction from the block of this number is one from this block. */
    boolean isMeantBy(BlockId id) {
        return goesBy(id) || former.contains(id);
    }

    /** An eviction from this block is one of the callers that have {@linkplain Caller#joinedAs() joined} as that or less. */
    int reach(Eviction eviction) {
        if (eviction.block().equals(entry.block())) {
            return eviction.callers();
        }
        // By a number that it is about to get, all were seen; by one that it had, those who were there still when it
        // lost it.
        return next != null ? Integer.MAX_VALUE : countedAtRename;
    }
}
