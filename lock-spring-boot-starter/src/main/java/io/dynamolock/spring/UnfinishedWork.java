package io.dynamolock.spring;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ResolvableType;
import org.springframework.util.ReflectionUtils;

/**
 * Work that goes on after a method has returned and of whose end nothing is known: the lock would be gone before. What ends in a
 * way that is known is a {@link MethodResult}.
 */
final class UnfinishedWork {

    /** Work, if the declared type says so. Many an object is one of these, too, and may be returned as that object. */
    private static final Set<String> DECLARED = Set.of("java.util.concurrent.Callable", "java.util.function.Supplier");

    /** By name, because most of these libraries need not be there. */
    private static final Set<String> ASYNCHRONOUS = Set.of(
            "java.util.concurrent.Future",
            "java.util.concurrent.CompletionStage",
            "java.util.stream.BaseStream",
            "kotlinx.coroutines.Job",
            "kotlinx.coroutines.flow.Flow",
            "org.springframework.web.context.request.async.DeferredResult",
            "org.springframework.web.context.request.async.WebAsyncTask",
            "org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
            "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");

    /** Of which an end is known where Reactor is there. */
    private static final Set<String> STREAMS = Set.of(
            "java.util.concurrent.Flow$Publisher",
            "org.reactivestreams.Publisher",
            "io.reactivex.rxjava3.core.Single",
            "io.reactivex.rxjava3.core.Maybe",
            "io.reactivex.rxjava3.core.Completable",
            "io.reactivex.rxjava3.core.Observable",
            "io.smallrye.mutiny.Uni");

    /** Of collections that may not be the JDK's. */
    private static final Set<String> VIEWS = Set.of(
            "java.util.Collections$Unmodifiable",
            "java.util.Collections$Synchronized",
            "java.util.Collections$Checked",
            "java.util.AbstractList$",
            "java.util.AbstractMap$");

    /** How far types within types are looked at: a type may be a part of itself. */
    private static final int DEEPEST = 5;

    private UnfinishedWork() {}

    /** The reason to refuse a method, if there is one. */
    static Optional<String> promisedBy(Method method, Class<?> targetClass) {
        MethodResult result = MethodResult.of(method, targetClass);
        if (result.kind() == MethodResult.Kind.PLAIN && KotlinDetector.isSuspendingFunction(method)) {
            return Optional.of("it is a suspending function, and kotlinx-coroutines-reactor is not on the class path.");
        }
        return inside(result.value(), 0).map(found -> switch (result.kind()) {
            case FUTURE, STREAM -> within(result.type(), found);
            case PLAIN -> found == result.valueType() ? alone(found) : within(result.valueType(), found);
            case SUSPENDED ->
                found == result.valueType()
                        ? "it suspends and returns a " + found.getSimpleName() + "."
                        : within(result.valueType(), found);
        });
    }

    private static String within(Class<?> outermost, Class<?> found) {
        return "it returns a " + outermost.getSimpleName() + " with a " + found.getSimpleName() + " in it.";
    }

    private static String alone(Class<?> type) {
        String returned = "it returns a " + type.getSimpleName();
        if (CompletionStage.class.isAssignableFrom(type)) {
            return returned + ", which must be declared as a CompletableFuture.";
        }
        if (!Libraries.COROUTINES && type.getName().startsWith("kotlinx.coroutines.")) {
            return returned + ", and kotlinx-coroutines-reactor is not on the class path.";
        }
        if (!Libraries.REACTOR) {
            return returned + (isOneOf(STREAMS, type) ? ", and reactor-core is not on the class path." : ".");
        }
        Class<?> nearest = StreamTypes.nearest(type);
        return returned + (nearest == null ? "." : ", which must be declared as a " + nearest.getSimpleName() + ".");
    }

    private static Optional<Class<?>> inside(ResolvableType type, int depth) {
        Class<?> raw = type.resolve();
        if (raw != null && (isAsynchronous(raw) || isOneOf(DECLARED, raw))) {
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
    static boolean mayHideIn(ResolvableType type) {
        return isOpen(type, 0);
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

    /**
     * Whether a result is still to come, also where it is wrapped. Elements of collections are looked at, once; not of those that are
     * not the JDK's, which may load their elements when they are looked at, nor through a view of the JDK, which may be one of these.
     */
    static boolean isIn(@Nullable Object result) {
        if (result instanceof Optional<?> optional) {
            return isIn(optional.orElse(null));
        }
        if (result instanceof Collection<?> elements
                && hasItsElements(result.getClass().getName())) {
            return elements.stream().anyMatch(element -> element != null && isItself(element));
        }
        return result != null && (isItself(result) || isIn(bodyOf(result)));
    }

    private static boolean hasItsElements(String collection) {
        return collection.startsWith("java.") && VIEWS.stream().noneMatch(collection::startsWith);
    }

    private static boolean isItself(Object result) {
        if (result instanceof CompletableFuture<?> future) {
            // Of a minimal stage, which does not answer for itself.
            return !future.toCompletableFuture().isDone();
        }
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

    private static boolean isAsynchronous(Class<?> type) {
        return isOneOf(ASYNCHRONOUS, type) || isOneOf(STREAMS, type);
    }

    private static boolean isOneOf(Set<String> names, @Nullable Class<?> type) {
        if (type == null || type == Object.class) {
            return false;
        }
        if (names.contains(type.getName())) {
            return true;
        }
        for (Class<?> parent : type.getInterfaces()) {
            if (isOneOf(names, parent)) {
                return true;
            }
        }
        return isOneOf(names, type.getSuperclass());
    }
}
