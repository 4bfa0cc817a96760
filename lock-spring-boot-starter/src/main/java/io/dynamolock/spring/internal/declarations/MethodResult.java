package io.dynamolock.spring.internal.declarations;

import io.dynamolock.spring.internal.Libraries;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ResolvableType;

/**
 * The result type of a method, which says when the work of a call ends.
 *
 * @param type the declared type; for a suspending function, the type of its result
 * @param value the type of a future's value, of a stream's elements, or of the result itself
 */
public record MethodResult(Kind kind, Class<?> type, ResolvableType value) {

    public enum Kind {
        /** The work ends when the method returns. */
        PLAIN,
        /** The work ends when the future completes. */
        FUTURE,
        /** Each subscription is work of its own, which ends with the stream. */
        STREAM,
        /**
         * A suspending function of Kotlin. Inside Spring's proxies it returns a {@code Mono}; its callers see the
         * declared result.
         */
        SUSPENDED
    }

    /** Types to which a {@code CompletableFuture} can be assigned, because that is what the caller gets. */
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

    /**
     * The result type of a suspending function. Kotlin's compiler turns {@code Int} into {@code Integer}: this turns it
     * back into {@code int}, which says that the result must not be null.
     */
    private static Class<?> suspended(Method method, Class<?> type) {
        return NonNullResults.includes(method)
                ? MethodType.methodType(type).unwrap().returnType()
                : type;
    }

    public Class<?> valueType() {
        return value.resolve(Object.class);
    }
}
