package io.dynamolock.protocol;

import io.dynamolock.internal.protocol.LockKey;
import java.util.Objects;

/**
 * A waiter's question to a process: does this block of your session still stand in this lock's queue because you want
 * it there?
 */
public record Dispute(LockKey key, BlockId block) {

    public Dispute {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(block, "block");
    }
}
