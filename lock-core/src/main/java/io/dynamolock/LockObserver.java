package io.dynamolock;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Follows single callers of a registry from their call to the end of their hold, for traces. A {@link LockListener}
 * hears the same without knowing which caller it was. Implementations must be thread-safe, and return at once because
 * callers and callbacks wait for them. Their exceptions are logged, and change nothing for the caller or the lock.
 */
@FunctionalInterface
public interface LockObserver {

    /**
     * A caller wants a lock. Called on the caller's thread, before anything else is done. If one call that does not
     * block wants several locks, this method is called on a thread of the registry for all locks after the first. Not
     * called for leader elections, nor for a thread that reenters a lock.
     *
     * @return what follows the caller; null if nothing does
     */
    @Nullable
    Attempt requested(LockRequest request);

    /**
     * What becomes of one caller: first how its wait ends, by {@link #granted}, {@link #evicted} or {@link
     * #notGranted}; after a grant, how its hold ends, by {@link #released} or {@link #lost}. Each is called at most
     * once, by one thread at a time. If the caller blocks, that is the caller's thread, except for a loss, for a lock
     * that is given back because the call fails, and for a release that the caller does not {@linkplain
     * LockRegistryBuilder#awaitRelease(boolean) await}, which is reported when it is answered. In all other cases, it
     * is a thread that runs the callbacks of handles.
     */
    interface Attempt {

        /**
         * The caller has the lock.
         *
         * @param fencingToken the grant's fencing token
         * @param ahead how many callers were ahead when this caller entered the queue, or found it full; empty if it
         *     was not queued
         */
        void granted(long fencingToken, OptionalLong ahead);

        /**
         * The caller does not get the lock.
         *
         * @param timedOut whether the wait was over; if not, the caller was cancelled or interrupted, a call failed,
         *     the registry was closed or paused, or the lock has no item or another number of permits
         * @param ahead as in {@link #granted}
         */
        void notGranted(boolean timedOut, OptionalLong ahead);

        /**
         * The caller does not get the lock: an operator took it out of the queue ({@link LockAdmin#evict}). Unless
         * overridden, this calls {@link #notGranted}, as for a caller that was cancelled.
         *
         * @param ahead as in {@link #granted}
         */
        default void evicted(OptionalLong ahead) {
            notGranted(false, ahead);
        }

        /** The lock was released in time, by its holder or because the handle was dropped. */
        void released();

        /** The lock was lost before it was released. */
        void lost();
    }
}
