package io.dynamolock.spring.internal.woven;

import io.dynamolock.spring.internal.calls.LockInterceptor;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/** The interceptor that runs the calls of woven methods, for all classes of this class loader. Thread-safe. */
public final class WovenCalls {

    /**
     * The interceptors of all contexts that serve woven code; the latest is first, and counts. When it goes, as after a
     * test that closes its context, the one before counts again.
     */
    private static final Deque<LockInterceptor> SERVING = new ConcurrentLinkedDeque<>();

    private WovenCalls() {}

    /** The interceptor that counts; null if there is none. */
    public static @Nullable LockInterceptor current() {
        return SERVING.peekFirst();
    }

    /** From now on, this interceptor counts, and none from before. */
    public static void replaceAll(LockInterceptor calls) {
        SERVING.addFirst(calls);
        SERVING.removeIf(other -> other != calls);
    }

    /**
     * From now on, this interceptor counts, until it is removed.
     *
     * @return whether another one counted before
     */
    public static boolean add(LockInterceptor calls) {
        boolean isAnotherSet = !SERVING.isEmpty();
        SERVING.addFirst(calls);
        return isAnotherSet;
    }

    /** If this interceptor counted, the one before it counts again. */
    public static void remove(LockInterceptor calls) {
        SERVING.remove(calls);
    }

    public static void clear() {
        SERVING.clear();
    }
}
