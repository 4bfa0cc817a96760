package io.dynamolock.lockingread;

import java.util.HexFormat;
import java.util.UUID;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The token that one call writes into an item to lock it or to extend its lock. Each call writes another one, so
 * whoever sees the same token twice knows that the lock was not extended in between.
 *
 * @param lock random text that identifies the lock; no other lock ever has it
 * @param writes how many calls about this lock were made before
 */
record LockToken(String lock, int writes) {

    /** The first token of a new lock. */
    static LockToken random() {
        return new LockToken(UUID.randomUUID().toString().replace("-", ""), 0);
    }

    /** The token of the next call about the same lock. */
    LockToken next() {
        return new LockToken(lock, writes + 1);
    }

    /** The token of the first call about the same lock. */
    LockToken first() {
        return new LockToken(lock, 0);
    }

    /** The text with which each token of this lock begins, and no other token. */
    String prefix() {
        return lock + "-";
    }

    /** As the item contains it. The later of two tokens of a lock is also the greater text. */
    AttributeValue attribute() {
        return AttributeValue.fromS(prefix() + HexFormat.of().toHexDigits(writes));
    }
}
