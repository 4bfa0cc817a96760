package io.dynamolock.internal.fences;

import io.dynamolock.internal.engine.Grant;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.text.LockNames;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;

/** Makes the conditions of fenced writes, if transactions can check the locks. */
@FunctionalInterface
public interface Fences {

    /** For locks that are not in DynamoDB: makes no condition, and throws instead. */
    Fences NONE = (key, entry) -> {
        throw new UnsupportedOperationException("The " + LockNames.describe(key)
                + " is not in DynamoDB, so no transaction can check it. Build the registry with a DynamoDB client, or send"
                + " the fencing token with each write.");
    };

    /** The condition that this entry holds the lock. */
    ConditionCheck of(LockKey key, Entry entry);

    /**
     * @throws UnsupportedOperationException if others can hold the lock beside this grant: then a condition on the
     *     lock's item cannot tell them apart
     */
    static void requireToBeHeldAlone(Grant grant) {
        if (!grant.kind().isAlone()) {
            throw new UnsupportedOperationException("The "
                    + LockNames.describe(grant.key(), grant.spec().name())
                    + " is held together with others, so no transaction can check that this caller holds it. Write under"
                    + " an exclusive lock, or send the fencing token of a shared one with each write.");
        }
    }
}
