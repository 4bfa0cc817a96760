package io.dynamolock;

import io.dynamolock.LeaderElection.Leadership;

/**
 * Hears whether this process leads. After every call of {@link #granted}, also after one that failed, comes one call of
 * {@link #revoked} or {@link #resigned}, and only then the next {@link #granted}.
 *
 * <p>Calls for one election come one at a time, on a thread of the registry's or on the
 * {@linkplain LockRegistryBuilder#executor executor} given to it. A call that does not return keeps the next ones of its
 * election waiting, and no others: start the leader's work in {@link #granted} and return.
 */
public interface LeaderListener {

    /**
     * This process is the leader. If this throws, the failure is logged and the leadership given up: {@link #resigned}
     * is called, another process can lead, and this one enters the queue again after a pause, which grows with each such
     * failure in a row from a tenth of a second to some ten seconds.
     */
    void granted(Leadership leadership);

    /**
     * The leadership is lost: no heartbeat got through for a lease, the wall clock was set or is wrong, an operator {@linkplain
     * LockAdmin#evict evicted} the leader, or somebody removed the lock's item by hand. The leader's work must stop now. Where
     * heartbeats do not get through, this is called when the {@linkplain LockRegistryBuilder#driftMargin margin} before the end of
     * the lease begins, so before another process can lead, if this process runs at that moment; one that was frozen is told within
     * a {@linkplain LockRegistryBuilder#heartbeat heartbeat} of waking up, and {@link Leadership#isValid} is {@code false} as soon
     * as it wakes. What it throws is logged.
     */
    default void revoked(Leadership leadership) {}

    /**
     * The leadership is given up, by {@link LeaderElection#yield()}, by {@link LeaderElection#close()}, because the
     * registry closes or pauses, or because {@link #granted} failed. Others can lead only after this has returned,
     * unless the lease ends meanwhile, or the registry closes or pauses and has waited for this as long as
     * {@linkplain LockRegistry#close() it does}. What it throws is logged.
     */
    default void resigned(Leadership leadership) {}
}
