package io.dynamolock.spring;

import io.dynamolock.LockMode;
import io.dynamolock.LockRequest;
import java.lang.reflect.Method;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Everything {@link DynamoLocked} says about one method, read and checked. */
record LockedMethod(
        Method method,
        String description,
        KeyExpression key,
        String namespace,
        String name,
        Duration waitTime,
        @Nullable Duration maxHold,
        @Nullable Duration holdAtLeast,
        Mode mode,
        OnTimeout onTimeout,
        OnLost onLost,
        boolean mayHideUnfinishedWork) {

    /** @throws LockKeyException if the arguments give no usable key */
    LockRequest request(@Nullable Object target, @Nullable Object[] arguments) {
        String evaluated = key.evaluate(target, arguments);
        try {
            return request(evaluated);
        } catch (IllegalArgumentException e) {
            throw new LockKeyException("@DynamoLocked on " + description + ": " + e.getMessage(), e);
        }
    }

    LockRequest request(String evaluated) {
        LockRequest request =
                LockRequest.of(evaluated).namespace(namespace).name(name).wait(waitTime);
        if (mode == Mode.SHARED) {
            request = request.mode(LockMode.SHARED);
        }
        if (maxHold != null) {
            request = request.maxHold(maxHold);
        }
        return holdAtLeast == null ? request : request.holdAtLeast(holdAtLeast);
    }
}
