package io.dynamolock.spring.test;

import io.dynamolock.LockAdmin;
import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.internal.AdoptableLock;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A registry for tests that locks nothing: every lock is granted at once, so that a method with {@link
 * io.dynamolock.spring.annotation.DynamoLocked} just runs. Never use it in production. For tests in which locks exclude
 * each other there is the store {@code memory}.
 *
 * <pre>{@code
 * @TestConfiguration
 * class NoLocks {
 *
 *     @Bean
 *     LockRegistry locks() {
 *         return UnlockedRegistry.create();
 *     }
 * }
 * }</pre>
 */
public final class UnlockedRegistry {

    private UnlockedRegistry() {}

    /**
     * A new registry whose fencing tokens begin at 1. Thread-safe. What has no meaning without locks (elections, looks
     * at a lock, fences) throws {@link UnsupportedOperationException}.
     */
    public static LockRegistry create() {
        AtomicLong tokens = new AtomicLong();
        return proxy(LockRegistry.class, (registry, method, arguments) -> switch (method.getName()) {
            case "acquire" -> handle(arguments[0], tokens);
            case "acquireAll" -> handles(arguments[0], tokens);
            case "acquireAllAsync" -> CompletableFuture.completedFuture(handles(arguments[0], tokens));
            case "lock" -> lock();
            case "tryAcquire" -> Optional.of(handle(arguments[0], tokens));
            case "acquireAsync" -> CompletableFuture.completedFuture(handle(arguments[0], tokens));
            case "admin" -> admin();
            case "close" -> null;
            default -> other("UnlockedRegistry", registry, method, arguments);
        });
    }

    private static LockAdmin admin() {
        return proxy(LockAdmin.class, (admin, method, arguments) -> switch (method.getName()) {
            case "table", "session", "clockProblem" -> Optional.empty();
            case "held", "waiters" -> List.of();
            case "waiting" -> 0;
            case "pause", "resume" -> null;
            default -> other("Admin of UnlockedRegistry", admin, method, arguments);
        });
    }

    /** No thread ever holds it, so every method asks for it. */
    private static AdoptableLock lock() {
        return proxy(AdoptableLock.class, (lock, method, with) -> switch (method.getName()) {
            case "isHeldByCurrentThread" -> false;
            case "holdCount" -> 0L;
            case "handle" -> Optional.empty();
            case "tryLock" -> true;
            case "lock", "lockInterruptibly", "unlock", "adopt", "disown" -> null;
            default -> other("Lock of UnlockedRegistry", lock, method, with);
        });
    }

    private static List<LockHandle> handles(Object requests, AtomicLong tokens) {
        return ((Collection<?>) requests)
                .stream().map(request -> handle(request, tokens)).toList();
    }

    private static LockHandle handle(Object what, AtomicLong tokens) {
        LockRequest request = (LockRequest) what;
        long token = tokens.incrementAndGet();
        AtomicBoolean released = new AtomicBoolean();
        return proxy(LockHandle.class, (handle, method, with) -> switch (method.getName()) {
            case "key" -> request.key();
            case "namespace" -> request.namespace();
            case "fencingToken" -> token;
            case "isValid" -> !released.get();
            case "remainingValidity" -> released.get() ? Duration.ZERO : Duration.ofDays(1);
            case "held" -> Duration.ZERO;
            case "ensureValid", "onLost", "onExpiring", "extendBy", "setMaxHold", "setHoldAtLeast" -> null;
            case "release" -> release(released);
            case "releaseAsync" -> CompletableFuture.completedFuture(release(released));
            case "close" -> {
                release(released);
                yield null;
            }
            default -> other("Handle of UnlockedRegistry", handle, method, with);
        });
    }

    private static boolean release(AtomicBoolean released) {
        released.set(true);
        return true;
    }

    private static Object other(String name, Object self, Method method, Object[] arguments) {
        return switch (method.getName()) {
            case "toString" -> name;
            case "hashCode" -> System.identityHashCode(self);
            case "equals" -> self == arguments[0];
            default ->
                throw new UnsupportedOperationException(
                        name + " locks nothing, so it has no " + method.getName() + ".");
        };
    }

    private static <T> T proxy(Class<T> type, InvocationHandler answers) {
        InvocationHandler all = (proxy, method, arguments) -> method.isDefault()
                ? InvocationHandler.invokeDefault(proxy, method, arguments)
                : answers.invoke(proxy, method, arguments);
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, all));
    }
}
