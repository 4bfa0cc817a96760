package io.dynamolock.spring;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ResolvableType;
import org.springframework.util.ReflectionUtils;

/** Results whose work goes on after the method has returned: the lock would be gone before the work ends. */
final class UnfinishedWork {

    /** By name, because most of these libraries need not be there. */
    private static final Set<String> ASYNCHRONOUS = Set.of(
            "java.util.concurrent.Callable",
            "java.util.concurrent.Future",
            "java.util.concurrent.CompletionStage",
            "java.util.concurrent.Flow$Publisher",
            "java.util.function.Supplier",
            "java.util.stream.BaseStream",
            "org.reactivestreams.Publisher",
            "io.reactivex.rxjava3.core.Single",
            "io.reactivex.rxjava3.core.Maybe",
            "io.reactivex.rxjava3.core.Completable",
            "io.reactivex.rxjava3.core.Observable",
            "io.smallrye.mutiny.Uni",
            "kotlinx.coroutines.Job",
            "kotlinx.coroutines.flow.Flow",
            "org.springframework.web.context.request.async.DeferredResult",
            "org.springframework.web.context.request.async.WebAsyncTask",
            "org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
            "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");

    /** How far types within types are looked at: a type may be a part of itself. */
    private static final int DEEPEST = 5;

    private UnfinishedWork() {}

    /** The reason to refuse a method, if there is one. */
    static Optional<String> promisedBy(Method method, Class<?> targetClass) {
        if (KotlinDetector.isSuspendingFunction(method)) {
            return Optional.of("it is a suspending function.");
        }
        ResolvableType type = ResolvableType.forMethodReturnType(method, targetClass);
        return inside(type, 0).map(found -> {
            Class<?> outermost = type.resolve(Object.class);
            return found == outermost
                    ? "it returns a " + found.getSimpleName() + "."
                    : "it returns a " + outermost.getSimpleName() + " with a " + found.getSimpleName() + " in it.";
        });
    }

    private static Optional<Class<?>> inside(ResolvableType type, int depth) {
        Class<?> raw = type.resolve();
        if (raw != null && isAsynchronous(raw)) {
            return Optional.of(raw);
        }
        if (depth == DEEPEST) {
            return Optional.empty();
        }
        return parts(type)
                .map(part -> inside(part, depth + 1))
                .flatMap(Optional::stream)
                .findFirst();
    }

    /** Whether the declared type leaves it open what is returned, or what is in it. */
    static boolean mayHideIn(Method method, Class<?> targetClass) {
        return isOpen(ResolvableType.forMethodReturnType(method, targetClass), 0);
    }

    private static boolean isOpen(ResolvableType type, int depth) {
        Class<?> raw = type.resolve();
        return raw == null
                || raw == Object.class
                || raw.getTypeParameters().length > 0 && !type.hasGenerics()
                || depth < DEEPEST && parts(type).anyMatch(part -> isOpen(part, depth + 1));
    }

    private static Stream<ResolvableType> parts(ResolvableType type) {
        return type.isArray() ? Stream.of(type.getComponentType()) : Arrays.stream(type.getGenerics());
    }

    /** Whether a result is still to come, also where it is wrapped. Elements of collections are looked at, once. */
    static boolean isIn(@Nullable Object result) {
        if (result instanceof Optional<?> optional) {
            return isIn(optional.orElse(null));
        }
        if (result instanceof Collection<?> elements) {
            return elements.stream().anyMatch(element -> element != null && isItself(element));
        }
        return result != null && (isItself(result) || isIn(bodyOf(result)));
    }

    private static boolean isItself(Object result) {
        return result instanceof Future<?> future ? !future.isDone() : isAsynchronous(result.getClass());
    }

    /** Of an answer of Spring's web modules, which need not be there. */
    private static @Nullable Object bodyOf(Object result) {
        for (Class<?> type = result.getClass(); type != null; type = type.getSuperclass()) {
            if (type.getName().equals("org.springframework.http.HttpEntity")) {
                Method body = ReflectionUtils.findMethod(type, "getBody");
                return body == null ? null : ReflectionUtils.invokeMethod(body, result);
            }
        }
        return null;
    }

    private static boolean isAsynchronous(@Nullable Class<?> type) {
        if (type == null || type == Object.class) {
            return false;
        }
        if (ASYNCHRONOUS.contains(type.getName())) {
            return true;
        }
        for (Class<?> parent : type.getInterfaces()) {
            if (isAsynchronous(parent)) {
                return true;
            }
        }
        return isAsynchronous(type.getSuperclass());
    }
}
