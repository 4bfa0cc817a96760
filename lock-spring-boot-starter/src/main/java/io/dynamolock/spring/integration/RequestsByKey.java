package io.dynamolock.spring.integration;

import io.dynamolock.LockRequest;
import io.dynamolock.spring.keys.LockKeys;
import java.util.Objects;

/**
 * What a lock registry of Spring Integration asks for when it is given a key.
 *
 * @param namespace the namespace of all requests
 */
record RequestsByKey(String namespace) {

    /** @throws IllegalArgumentException if the namespace breaks the rules of {@link LockRequest#namespace} */
    RequestsByKey {
        // Builds a request only to have the namespace checked.
        LockRequest.of("any").namespace(namespace);
    }

    /** @throws IllegalArgumentException if {@link LockKeys#text} refuses the key */
    LockRequest of(Object lockKey) {
        return LockRequest.of(LockKeys.text(Objects.requireNonNull(lockKey, "lockKey")))
                .namespace(namespace)
                .waitForever();
    }
}
