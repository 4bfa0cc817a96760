package io.dynamolock.store;

import java.util.Objects;

/** A waiter's question to a holder's process: does this block of yours really still hold this lock? */
public record Dispute(LockKey key, BlockId block) {

    public Dispute {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(block, "block");
    }
}
