package io.dynamolock.spring;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** What {@code #root} is in a key. Getters, because that is what the expression language reads. */
final class KeyRoot {

    private final Method method;
    private final @Nullable Object target;
    private final @Nullable Object[] args;

    KeyRoot(Method method, @Nullable Object target, @Nullable Object[] args) {
        this.method = method;
        this.target = target;
        this.args = args.clone();
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

    public @Nullable Object[] getArgs() {
        return args;
    }
}
