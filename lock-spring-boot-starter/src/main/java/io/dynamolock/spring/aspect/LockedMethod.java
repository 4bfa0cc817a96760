package io.dynamolock.spring.aspect;

import io.dynamolock.LockMode;
import io.dynamolock.LockRequest;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.LockKeyException;
import io.dynamolock.spring.annotation.OnLost;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that one {@link DynamoLocked} says about a method, read and checked.
 *
 * @param whenOver what a call gives whose wait is over
 */
record LockedMethod(
        Method method,
        String description,
        List<MethodExpression> keys,
        @Nullable MethodExpression condition,
        String namespace,
        String name,
        Duration waitTime,
        @Nullable Duration maxHold,
        @Nullable Duration holdAtLeast,
        LockMode mode,
        WaitOver whenOver,
        OnLost onLost) {

    /**
     * What a call with these arguments asks for; nothing if its condition does not hold.
     *
     * @throws LockKeyException if the arguments give no usable key, or no answer to the condition
     */
    List<LockRequest> requests(@Nullable Object target, @Nullable Object[] arguments) {
        if (condition != null && !condition.evaluate(target, arguments, LockedMethod::truth)) {
            return List.of();
        }
        if (keys.size() == 1) {
            return requests(keys.get(0).evaluate(target, arguments, KeyRendering::renderEach));
        }
        return requests(keys.stream()
                .flatMap(key -> key.evaluate(target, arguments, KeyRendering::renderEach).stream())
                .distinct()
                .toList());
    }

    /** For people. */
    String shortName() {
        return method.getDeclaringClass().getSimpleName() + "." + method.getName();
    }

    /** Whether all calls ask for the same. */
    boolean isConstant() {
        return condition == null && keys.stream().allMatch(MethodExpression::isConstant);
    }

    private static boolean truth(@Nullable Object value) {
        if (value instanceof Boolean truth) {
            return truth;
        }
        throw new IllegalArgumentException(
                "it is " + (value == null ? "null" : "a " + value.getClass().getTypeName()) + ", not true or false");
    }

    private List<LockRequest> requests(List<String> evaluated) {
        try {
            return evaluated.size() == 1
                    ? List.of(request(evaluated.get(0)))
                    : evaluated.stream().map(this::request).toList();
        } catch (IllegalArgumentException e) {
            throw new LockKeyException("@DynamoLocked on " + description + ": " + e.getMessage(), e);
        }
    }

    LockRequest request(String evaluated) {
        LockRequest request = LockRequest.of(evaluated)
                .namespace(namespace)
                .name(name)
                .wait(waitTime)
                .mode(mode);
        if (maxHold != null) {
            request = request.maxHold(maxHold);
        }
        return holdAtLeast == null ? request : request.holdAtLeast(holdAtLeast);
    }
}
