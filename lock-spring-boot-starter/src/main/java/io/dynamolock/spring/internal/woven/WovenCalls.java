package io.dynamolock.spring.internal.woven;

import io.dynamolock.spring.internal.calls.LockInterceptor;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/**
 * Knows the interceptor that runs the calls of woven methods, one for all classes of this class loader. Thread-safe.
 */
public final class WovenCalls {

    /**
     * The interceptors of all contexts with woven code. The latest is first, and runs all calls. When it is removed, as
     * after a test that closes its context, the one before it runs them again.
     */
    private static final Deque<LockInterceptor> SERVING = new ConcurrentLinkedDeque<>();

    private WovenCalls() {}

    /** The interceptor that runs the calls; null if there is none. */
    public static @Nullable LockInterceptor current() {
        return SERVING.peekFirst();
    }

    /** From now on, this interceptor runs the calls. Forgets all earlier interceptors. */
    public static void makeOnly(LockInterceptor calls) {
        SERVING.addFirst(calls);
        SERVING.removeIf(other -> other != calls);
    }

    /**
     * From now on, this interceptor runs the calls, until it is removed.
     *
     * @return whether another interceptor ran the calls before
     */
    public static boolean makeCurrent(LockInterceptor calls) {
        boolean isAnotherSet = !SERVING.isEmpty();
        SERVING.addFirst(calls);
        return isAnotherSet;
    }

    /** Removes the interceptor. If it ran the calls, the one before it runs them again. */
    public static void remove(LockInterceptor calls) {
        SERVING.remove(calls);
    }

    public static void clear() {
        SERVING.clear();
    }
}
