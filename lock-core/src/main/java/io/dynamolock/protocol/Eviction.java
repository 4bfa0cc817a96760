package io.dynamolock.protocol;

import io.dynamolock.internal.protocol.Digits;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import java.util.Objects;

/**
 * An operator's request to a process: give up the place that this block of your session has in this lock's queue. Only that
 * process takes the block out, or gives it another number, as it may do at any time.
 *
 * @param callers how many callers the block had when it was looked at: those who came into it later may stay
 * @param nonce tells this request from others for the same block, so that it is obeyed once, however often it arrives
 */
public record Eviction(LockKey key, BlockId block, int callers, long nonce) {

    public Eviction {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(block, "block");
        if (callers < 1 || nonce < 0 || nonce > Digits.most(SessionId.LENGTH)) {
            throw new IllegalArgumentException(
                    "not an eviction from block " + block + ": of " + callers + " callers, with nonce " + nonce);
        }
    }

    /** @param random the upper four bits are dropped */
    public static Eviction of(LockKey key, Entry seen, long random) {
        return new Eviction(key, seen.block(), seen.callers(), random & Digits.most(SessionId.LENGTH));
    }
}
