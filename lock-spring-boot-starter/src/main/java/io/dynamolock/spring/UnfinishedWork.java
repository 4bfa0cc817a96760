package io.dynamolock.spring;

import java.lang.reflect.Method;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;

/** Results whose work goes on after the method has returned: the lock would be gone before the work ends. */
final class UnfinishedWork {

    /** By name, because most of these libraries need not be there. */
    private static final Set<String> ASYNCHRONOUS = Set.of(
            "java.util.concurrent.Future",
            "java.util.concurrent.CompletionStage",
            "java.util.concurrent.Flow$Publisher",
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

    private UnfinishedWork() {}

    /** The reason to refuse a method, if there is one. */
    static Optional<String> promisedBy(Method method) {
        if (KotlinDetector.isSuspendingFunction(method)) {
            return Optional.of("it is a suspending function.");
        }
        Class<?> type = method.getReturnType();
        return Callable.class.isAssignableFrom(type) || isAsynchronous(type)
                ? Optional.of("it returns a " + type.getSimpleName() + ".")
                : Optional.empty();
    }

    /** Whether the result of a method that promises no particular type is still to come. */
    static boolean isIn(Object result) {
        return result instanceof Future<?> future ? !future.isDone() : isAsynchronous(result.getClass());
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
