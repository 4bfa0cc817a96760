package io.dynamolock;

import io.dynamolock.LeaderElection.Leadership;

/**
 * Is told whether this process leads. Every call of {@link #granted}, even a call that failed, is followed by one call
 * of {@link #revoked} or {@link #resigned}, and only then by the next {@link #granted}.
 *
 * <p>Calls for one election come one at a time, on a thread of the registry or on the {@linkplain
 * LockRegistryBuilder#executor executor} given to the builder. A call that does not return keeps the next calls of its
 * election waiting, but not the calls of other elections: start the leader's work in {@link #granted} and return.
 */
public interface LeaderListener {

    /**
     * This process is the leader. If this method throws, the failure is logged and the leadership is given up: {@link
     * #resigned} is called, and another process can lead. This process enters the queue again after a pause, which
     * grows with each such failure in a row from a tenth of a second to about ten seconds.
     */
    void granted(Leadership leadership);

    /**
     * The leadership is lost: no heartbeat succeeded for a lease, the wall clock was set ahead, an operator {@linkplain
     * LockAdmin#evict evicted} the leader, or somebody removed the lock's item by hand. The leader's work must stop
     * now. Exceptions of this method are logged.
     *
     * <p>If heartbeats fail, this is called when the {@linkplain LockRegistryBuilder#driftMargin margin} before the end
     * of the lease begins. That is before another process can lead, provided that this process runs at that moment. A
     * process that was frozen is told within a {@linkplain LockRegistryBuilder#heartbeat heartbeat} of waking up, and
     * {@link Leadership#isValid} is {@code false} as soon as it wakes.
     */
    default void revoked(Leadership leadership) {}

    /**
     * The leadership is given up, by {@link LeaderElection#yield()}, by {@link LeaderElection#close()}, because the
     * registry closes or pauses, or because {@link #granted} failed. Others can lead only after this call has returned,
     * with two exceptions: the lease ends meanwhile, or a registry that closes or pauses has waited for this call
     * {@linkplain LockRegistry#close() as long as it may}. Exceptions of this method are logged.
     */
    default void resigned(Leadership leadership) {}
}
