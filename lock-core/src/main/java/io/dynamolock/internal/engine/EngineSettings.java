package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.FailureDetection;
import io.dynamolock.internal.protocol.PollingInterval;
import io.dynamolock.internal.time.Durations;
import java.time.Duration;

/**
 * How an engine behaves. The values are checked before: {@code SettingsRules} of the builder has their ranges.
 *
 * @param owner a name of this process for people
 * @param lease how long the session lives without a heartbeat
 * @param heartbeat the interval between two heartbeats
 * @param driftMargin how much earlier than its lease the own session counts as over, because clocks may run at
 *     different speeds
 * @param pollMin the shortest interval between two reads of a lock for which a caller waits; only a wait shorter than
 *     four such intervals makes it shorter
 * @param pollMax the longest interval between two reads of a lock for which a caller waits
 * @param lockDelay how long a silent session is left alone after its lease has run out; {@code Clocks.SLEW} has
 *     the least
 * @param callTimeout how long one call to the store may take
 * @param maxCallsInFlight how many calls may be under way at once, without heartbeats, clean-up and reads for people;
 *     at least one of each sort ({@link CallRoom})
 * @param retention how long an unused item stays in the table
 * @param maxQueue how many entries a queue may have; other processes wait outside
 */
public record EngineSettings(
        String owner,
        Duration lease,
        Duration heartbeat,
        Duration driftMargin,
        Duration pollMin,
        Duration pollMax,
        Duration lockDelay,
        Duration callTimeout,
        int maxCallsInFlight,
        Duration retention,
        int maxQueue) {

    /** How many reads for people may be under way at once. */
    public static final int READS_FOR_PEOPLE = 4;

    /** Edits, reads of locks and reads of sessions: one call of each may always be under way. */
    private static final int SORTS_THAT_CALLERS_WAIT_FOR = 3;

    FailureDetection detection() {
        return new FailureDetection(lease, lockDelay);
    }

    PollingInterval polling() {
        return new PollingInterval(pollMin, pollMax);
    }

    /** How many calls of clean-up may be under way at once: fewer than calls that callers wait for. */
    public int cleanUpCallsInFlight() {
        return Math.max(1, maxCallsInFlight / 4);
    }

    /** How many calls of all kinds but heartbeats may be under way. */
    public int allCallsInFlight() {
        return Math.max(SORTS_THAT_CALLERS_WAIT_FOR, maxCallsInFlight) + cleanUpCallsInFlight() + READS_FOR_PEOPLE;
    }

    /**
     * How many connections of a client the calls may need at once. Beside all others there may be two heartbeats: one
     * that was given up but has not ended for the client, and the next.
     */
    public int connections() {
        return allCallsInFlight() + 2;
    }

    /** How long a heartbeat may take: a lease has time for several. */
    public Duration heartbeatTimeout() {
        return Durations.shorter(callTimeout, lease.dividedBy(4));
    }

    /**
     * How much of the session's validity is left in the worst case when every heartbeat gets through: just before the
     * answer to a heartbeat that took as long as it may.
     */
    public Duration leastValidity() {
        return lease.minus(driftMargin).minus(heartbeat).minus(heartbeatTimeout());
    }
}
