package io.dynamolock.spring.internal.keys;

import java.lang.reflect.Method;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;

/**
 * The value of {@code #root} in a key or condition. It has getters because the expression language reads properties
 * through getters.
 */
public final class KeyRoot {

    private final Method method;
    private final @Nullable Object target;
    private final @Nullable Object[] args;

    KeyRoot(Method method, @Nullable Object target, @Nullable Object[] args) {
        this.method = method;
        this.target = target;
        this.args = args;
    }

    public Method getMethod() {
        return method;
    }

    public String getMethodName() {
        return method.getName();
    }

    public @Nullable Object getTarget() {
        return target;
    }

    /** The arguments, without the continuation that the compiler adds to a suspending function. */
    public @Nullable Object[] getArgs() {
        return KotlinDetector.isSuspendingFunction(method) ? Arrays.copyOf(args, args.length - 1) : args.clone();
    }
}
