package io.dynamolock;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Follows single callers of a registry from their call to the end of their hold, for traces; {@link LockListener} hears the
 * same without knowing which caller it was. Thread-safe. What it throws is logged and changes nothing for the caller or the lock;
 * but it runs on threads that want to go on, so it should return at once.
 */
@FunctionalInterface
public interface LockObserver {

    /**
     * A caller wants a lock. Called on its thread, before anything else is done; of several locks in one
     * call that does not block, for those after the first on a thread of the registry's. Not called for leader elections, or for a
     * thread that enters a lock which it holds.
     *
     * @return what follows it; null if nobody wants to
     */
    @Nullable
    Attempt requested(LockRequest request);

    /**
     * What becomes of one caller: first how its wait ended, {@link #granted} or {@link #notGranted}; after a grant, how its hold
     * did, {@link #released} or {@link #lost}. Each is called once at most, by one thread at a time. Where the caller blocks, that
     * is its own thread, but for a loss and for a lock that a call which fails gives back; else one of those that run the
     * callbacks of handles.
     */
    interface Attempt {

        /**
         * The caller has the lock.
         *
         * @param fencingToken the grant's fencing token
         * @param ahead how many were ahead when it entered the queue; empty if it was not queued
         */
        void granted(long fencingToken, OptionalLong ahead);

        /**
         * The caller has not got the lock.
         *
         * @param timedOut whether its wait was over; if not, it was cancelled, interrupted or evicted, a call failed, the registry
         *     was closed or paused, or the lock has no item or another number of permits
         * @param ahead as that of {@link #granted}
         */
        void notGranted(boolean timedOut, OptionalLong ahead);

        /** The lock was released in time, by its holder or because the handle was dropped. */
        void released();

        /** The lock was lost before it was released. */
        void lost();
    }
}
