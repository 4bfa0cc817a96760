package io.dynamolock.spring.internal.declarations;

import io.dynamolock.LockMode;
import io.dynamolock.LockRequest;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.LockKeyException;
import io.dynamolock.spring.annotation.OnLost;
import io.dynamolock.spring.internal.MethodNames;
import io.dynamolock.spring.internal.keys.KeyRendering;
import io.dynamolock.spring.internal.keys.MethodExpression;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One {@link DynamoLocked} of a method, read and checked, completed by the annotation of the class.
 *
 * @param awaitRelease whether a call waits for the release; {@code null} to do as the registry says
 * @param onTimeout how a call is answered after a timeout
 */
public record LockDeclaration(
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
        @Nullable Boolean awaitRelease,
        TimeoutAction onTimeout,
        OnLost onLost) {

    /**
     * The requests of a call with these arguments; empty if the condition is false.
     *
     * @throws LockKeyException if the arguments give no usable key, or the condition is neither true nor false
     */
    public List<LockRequest> requests(@Nullable Object target, @Nullable Object[] arguments) {
        if (condition != null && !condition.evaluate(target, arguments, LockDeclaration::truth)) {
            return List.of();
        }
        List<LockRequest> requests = new ArrayList<>();
        for (MethodExpression key : keys) {
            requests.addAll(key.evaluate(target, arguments, this::requests));
        }
        return requests;
    }

    private List<LockRequest> requests(@Nullable Object key) {
        return KeyRendering.renderEach(key).stream().map(this::request).toList();
    }

    /** The method's name for people, such as {@code OrderService.placeOrder}. */
    public String shortName() {
        return MethodNames.brief(method, method.getDeclaringClass());
    }

    /** Whether all calls make the same requests. */
    public boolean isConstant() {
        return condition == null && keys.stream().allMatch(MethodExpression::isConstant);
    }

    private static boolean truth(@Nullable Object value) {
        if (value instanceof Boolean truth) {
            return truth;
        }
        throw new IllegalArgumentException(
                "it is " + (value == null ? "null" : "a " + value.getClass().getTypeName()) + ", not true or false");
    }

    LockRequest request(String key) {
        LockRequest request = LockRequest.of(key)
                .namespace(namespace)
                .name(name)
                .waitTime(waitTime)
                .mode(mode);
        if (maxHold != null) {
            request = request.maxHold(maxHold);
        }
        if (awaitRelease != null) {
            request = request.awaitRelease(awaitRelease);
        }
        return holdAtLeast == null ? request : request.holdAtLeast(holdAtLeast);
    }
}
