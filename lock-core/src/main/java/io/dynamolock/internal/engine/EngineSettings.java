package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.FailureDetection;
import io.dynamolock.internal.protocol.PollingInterval;
import io.dynamolock.internal.time.Durations;
import java.time.Duration;

/**
 * How an engine behaves; validated by whoever builds it.
 *
 * @param owner a name of this process for people
 * @param lease how long the session lives without a heartbeat
 * @param heartbeat the interval between two heartbeats
 * @param driftMargin how much earlier than the lease the own validity ends, against clock-rate drift
 * @param pollMin the polling interval of those near the front
 * @param pollMax the longest polling interval
 * @param lockDelay how much longer than its lease a silent session is left alone
 * @param maxClockSkew how far wall clocks may be apart; zero switches off expiry by wall clock
 * @param callTimeout how long one call to the store may take
 * @param maxCallsInFlight how many calls may be under way beside heartbeats, clean-up and reads for people
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
        Duration maxClockSkew,
        Duration callTimeout,
        int maxCallsInFlight,
        Duration retention,
        int maxQueue) {

    /** How many reads for people may be under way at once. */
    public static final int READS_FOR_PEOPLE = 4;

    FailureDetection detection() {
        return new FailureDetection(lease, lockDelay, maxClockSkew);
    }

    PollingInterval polling() {
        return new PollingInterval(pollMin, pollMax);
    }

    /** Clean-up has less room than what callers wait for. */
    public int cleanUpCallsInFlight() {
        return Math.max(1, maxCallsInFlight / 4);
    }

    /** How many calls of all kinds but heartbeats may be under way. */
    public int allCallsInFlight() {
        return maxCallsInFlight + cleanUpCallsInFlight() + READS_FOR_PEOPLE;
    }

    /** How long a heartbeat may take: a lease has time for several. */
    public Duration heartbeatTimeout() {
        return Durations.shorter(callTimeout, lease.dividedBy(4));
    }

    /** What is left of the session's validity just before the answer to a heartbeat that is nearly too late. */
    public Duration leastValidity() {
        return lease.minus(driftMargin).minus(heartbeat).minus(heartbeatTimeout());
    }
}
