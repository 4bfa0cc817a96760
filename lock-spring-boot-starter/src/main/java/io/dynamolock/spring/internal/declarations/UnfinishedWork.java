package io.dynamolock.spring.internal.declarations;

import io.dynamolock.spring.internal.Libraries;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;
import java.util.Spliterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ResolvableType;

/**
 * Result types whose work goes on after the method has returned, and which do not tell when the work ends: the lock
 * would be released too early. Types that do tell have a kind in {@link MethodResult}.
 */
final class UnfinishedWork {

    /**
     * Types whose work goes on or begins later, beside the streams that Spring knows and what {@link LazyTypes} finds.
     * The same is true of their subtypes, whatever data of their own these have.
     */
    private static final Set<Class<?>> LATER = Set.of(
            Future.class,
            CompletionStage.class,
            BaseStream.class,
            Flow.Publisher.class,
            Thread.class,
            Iterator.class,
            Spliterator.class,
            Enumeration.class);

    /**
     * Names of further such types, and of packages whose types are all of this kind. By name, because the libraries are
     * optional.
     */
    private static final Set<String> NAMES = Set.of(
            "kotlin.Lazy",
            "kotlinx.coroutines.Job",
            "kotlinx.coroutines.flow",
            "org.reactivestreams",
            "org.springframework.web.context.request.async",
            "org.springframework.web.servlet.mvc.method.annotation");

    /** How deep type arguments are searched, because a type may be an argument of itself. */
    private static final int DEEPEST = 5;

    private UnfinishedWork() {}

    /** Why the method must be refused; empty if its result is acceptable. */
    static Optional<String> reasonToRefuse(Method method, Class<?> targetClass) {
        MethodResult result = MethodResult.of(method, targetClass);
        if (result.kind() == MethodResult.Kind.PLAIN && KotlinDetector.isSuspendingFunction(method)) {
            return Optional.of("it is a suspending function, and kotlinx-coroutines-reactor is not on the class path.");
        }
        return withParts(result.value(), 0)
                .<Class<?>>map(type -> type.resolve(Object.class))
                .filter(UnfinishedWork::isUnfinished)
                .findFirst()
                .map(found -> {
                    boolean isLater =
                            result.kind() == MethodResult.Kind.FUTURE || result.kind() == MethodResult.Kind.STREAM;
                    Class<?> outermost = isLater ? result.type() : result.valueType();
                    String name = found.getSimpleName();
                    if (isLater || found != outermost) {
                        return "it returns a " + outermost.getSimpleName() + " with a " + name + " in it.";
                    }
                    return result.kind() == MethodResult.Kind.SUSPENDED
                            ? "it suspends and returns a " + name + "."
                            : "it returns a " + name + hint(found) + ".";
                });
    }

    private static String hint(Class<?> type) {
        boolean isStage = CompletionStage.class.isAssignableFrom(type);
        Class<?> nearest = isStage ? CompletableFuture.class : StreamTypes.nearest(type);
        if (nearest == null) {
            return isAsynchronous(type) && !Iterator.class.isAssignableFrom(type)
                    ? ""
                    : ", which does its work only when it is used";
        }
        return isStage || Libraries.REACTOR
                ? ", which must be declared as a " + nearest.getSimpleName()
                : ", and reactor-core is not on the class path";
    }

    private static boolean isUnfinished(Class<?> type) {
        return isAsynchronous(type) || LazyTypes.contain(type, UnfinishedWork::isAsynchronous);
    }

    private static boolean isAsynchronous(@Nullable Class<?> type) {
        return type != null
                && (LATER.contains(type)
                        || NAMES.contains(type.getPackageName())
                        || NAMES.contains(type.getName())
                        || StreamTypes.nearest(type) != null
                        || isAsynchronous(type.getSuperclass())
                        || Arrays.stream(type.getInterfaces()).anyMatch(UnfinishedWork::isAsynchronous));
    }

    private static Stream<ResolvableType> withParts(ResolvableType type, int depth) {
        Stream<ResolvableType> parts =
                type.isArray() ? Stream.of(type.getComponentType()) : Arrays.stream(type.getGenerics());
        return depth == DEEPEST
                ? Stream.of(type)
                : Stream.concat(Stream.of(type), parts.flatMap(part -> withParts(part, depth + 1)));
    }
}
