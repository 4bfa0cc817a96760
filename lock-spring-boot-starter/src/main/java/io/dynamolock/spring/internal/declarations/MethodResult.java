package io.dynamolock.spring.internal.declarations;

import io.dynamolock.spring.internal.Libraries;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.springframework.core.KotlinDetector;
import org.springframework.core.Nullness;
import org.springframework.core.ResolvableType;

/**
 * What a method returns, and by what the end of its work is known.
 *
 * @param type as declared; of a suspending function, what it gives
 * @param value what it comes to: the value of a future, the elements of a stream, or the result itself
 */
public record MethodResult(Kind kind, Class<?> type, ResolvableType value) {

    public enum Kind {
        /** The work ends when the method returns. */
        PLAIN,
        /** The work ends when the future does. */
        FUTURE,
        /** Each subscription is work of its own, which ends when it does. */
        STREAM,
        /** A suspending function of Kotlin. Spring's proxies make a {@code Mono} of it on the way in, and none on the way out. */
        SUSPENDED
    }

    /** The answer to the caller is a {@code CompletableFuture}, so it cannot be any other class. */
    private static final Set<Class<?>> FUTURES = Set.of(Future.class, CompletionStage.class, CompletableFuture.class);

    static MethodResult of(Method method, Class<?> targetClass) {
        if (Libraries.COROUTINES && KotlinDetector.isSuspendingFunction(method)) {
            ResolvableType value = ResolvableType.forMethodParameter(
                            method, method.getParameterCount() - 1, targetClass)
                    .getGeneric();
            return new MethodResult(Kind.SUSPENDED, suspended(method, value.resolve(Object.class)), value);
        }
        ResolvableType type = ResolvableType.forMethodReturnType(method, targetClass);
        Class<?> raw = type.resolve(Object.class);
        if (FUTURES.contains(raw)) {
            return new MethodResult(Kind.FUTURE, raw, type.getGeneric());
        }
        if (Libraries.REACTOR && StreamTypes.isKnown(raw)) {
            return new MethodResult(Kind.STREAM, raw, type.getGeneric());
        }
        return new MethodResult(Kind.PLAIN, raw, type);
    }

    /** Kotlin's {@code Int} is an {@code Integer} there, and must not become null. */
    private static Class<?> suspended(Method method, Class<?> type) {
        return Nullness.forMethodReturnType(method) == Nullness.NON_NULL
                ? MethodType.methodType(type).unwrap().returnType()
                : type;
    }

    public Class<?> valueType() {
        return value.resolve(Object.class);
    }
}
