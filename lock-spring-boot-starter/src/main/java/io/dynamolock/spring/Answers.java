package io.dynamolock.spring;

import io.dynamolock.LockRegistry;
import org.jspecify.annotations.Nullable;

/** What a registry answers. */
final class Answers {

    private Answers() {}

    /** A mock answers with null, which must not pass for a lock that is not free. */
    static <T> T of(@Nullable T answer, String method, LockRegistry locks) {
        if (answer == null) {
            throw new IllegalStateException("@DynamoLocked on " + method + ": the LockRegistry, a "
                    + locks.getClass().getName() + ", answered null, so nothing is locked and the method was not"
                    + " entered. If it is a mock, take io.dynamolock.spring.test.UnlockedRegistry.create() instead.");
        }
        return answer;
    }
}
