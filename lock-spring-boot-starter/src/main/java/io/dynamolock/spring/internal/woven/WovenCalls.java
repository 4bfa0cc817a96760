package io.dynamolock.spring.internal.woven;

import io.dynamolock.spring.internal.calls.LockInterceptor;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/** What runs the calls of woven methods, for all classes of this class loader. Thread-safe. */
public final class WovenCalls {

    /** Which contexts serve woven code, the last that began to do so first: that one counts. */
    private static final Deque<LockInterceptor> SERVING = new ConcurrentLinkedDeque<>();

    private WovenCalls() {}

    /** The one that counts; null if there is none. */
    public static @Nullable LockInterceptor current() {
        return SERVING.peekFirst();
    }

    /** From now on this one counts, and none from before. */
    public static void replaceAll(LockInterceptor calls) {
        SERVING.addFirst(calls);
        SERVING.removeIf(other -> other != calls);
    }

    /**
     * From now on this one counts, until it is removed.
     *
     * @return whether another one counted until now
     */
    public static boolean add(LockInterceptor calls) {
        boolean isAnotherSet = !SERVING.isEmpty();
        SERVING.addFirst(calls);
        return isAnotherSet;
    }

    /** If this one counted, the one before it counts again. */
    public static void remove(LockInterceptor calls) {
        SERVING.remove(calls);
    }

    public static void clear() {
        SERVING.clear();
    }
}
