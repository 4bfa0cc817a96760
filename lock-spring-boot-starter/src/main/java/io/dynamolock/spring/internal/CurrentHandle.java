package io.dynamolock.spring.internal;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A lock under which a method runs, with its registry. {@code CurrentLock} shows it to applications. */
public record CurrentHandle(LockRegistry registry, LockHandle handle) {

    /** The key of the entry in a subscriber's Reactor context with the locks of the innermost locked method. */
    public static final Object CONTEXT_KEY = CurrentHandle.class;

    private static final ThreadLocal<@Nullable List<CurrentHandle>> OF_THREAD = new ThreadLocal<>();

    /** Code that runs under locks. */
    @FunctionalInterface
    public interface Body {
        @Nullable
        Object run() throws Throwable;
    }

    /** The locks of the innermost locked method that this thread runs. */
    public static List<CurrentHandle> ofThread() {
        List<CurrentHandle> locks = OF_THREAD.get();
        return locks == null ? List.of() : locks;
    }

    /** Runs the body while these are the locks of this thread. */
    public static @Nullable Object during(List<CurrentHandle> locks, Body body) throws Throwable {
        List<CurrentHandle> outer = OF_THREAD.get();
        OF_THREAD.set(locks);
        try {
            return body.run();
        } finally {
            if (outer == null) {
                OF_THREAD.remove();
            } else {
                OF_THREAD.set(outer);
            }
        }
    }
}
