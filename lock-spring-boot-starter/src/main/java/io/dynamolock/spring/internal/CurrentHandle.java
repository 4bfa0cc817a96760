package io.dynamolock.spring.internal;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A lock under which a method runs, with its registry. {@code CurrentLock} shows it to applications. */
public record CurrentHandle(LockRegistry registry, LockHandle handle) {

    /** The key of the entry in a subscriber's Reactor context with the locks of the innermost locked method. */
    public static final Object CONTEXT_KEY = CurrentHandle.class;

    private static final ThreadLocal<@Nullable EnteredMethod> OF_THREAD = new ThreadLocal<>();

    /** Code that runs under locks. */
    @FunctionalInterface
    public interface Body {
        @Nullable
        Object run() throws Throwable;
    }

    /** The locks of the innermost locked method that this thread runs. */
    public static List<CurrentHandle> ofThread() {
        EnteredMethod entered = OF_THREAD.get();
        return entered == null ? List.of() : entered.locks();
    }

    /** The innermost locked method that this thread runs; null if it runs none. */
    public static @Nullable EnteredMethod methodOfThread() {
        return OF_THREAD.get();
    }

    /** Runs the body while this is the innermost locked method of this thread. */
    public static @Nullable Object during(EnteredMethod entered, Body body) throws Throwable {
        EnteredMethod outer = exchange(entered);
        try {
            return body.run();
        } finally {
            exchange(outer);
        }
    }

    /**
     * Makes this the innermost locked method of this thread, for coroutines, which may change their thread.
     *
     * @param entered null if from now on the thread runs none
     * @return the method that was the innermost before; null if there was none
     */
    public static @Nullable EnteredMethod exchange(@Nullable EnteredMethod entered) {
        EnteredMethod before = OF_THREAD.get();
        if (entered == null) {
            OF_THREAD.remove();
        } else {
            OF_THREAD.set(entered);
        }
        return before;
    }
}
