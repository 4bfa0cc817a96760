package io.dynamolock.spring.observation;

import io.dynamolock.LockRequest;
import io.micrometer.observation.Observation;
import java.util.OptionalLong;

/**
 * What is known of one caller's wait or hold. Changed by the thread that ends it, so handlers and conventions read it while they
 * are called.
 */
public final class DynamoLockObservationContext extends Observation.Context {

    /** What is observed. */
    public enum Phase {
        /** From the question to the grant, or to the end of a wait in vain. */
        WAIT,
        /** From the grant to the release, or to the loss. */
        HOLD
    }

    /** How it ended. */
    public enum Outcome {
        /** It has not ended yet. */
        NONE,
        /** A wait ended with the lock. */
        ACQUIRED,
        /** A wait was over before the lock was free. */
        TIMEOUT,
        /** The caller left, or asking failed. */
        ABANDONED,
        /** The lock was released in time. */
        RELEASED,
        /** The lock was lost before it was released. */
        LOST
    }

    private final Phase phase;
    private final LockRequest request;
    private volatile Outcome outcome = Outcome.NONE;
    private volatile OptionalLong queuePosition = OptionalLong.empty();
    private volatile OptionalLong fencingToken = OptionalLong.empty();

    DynamoLockObservationContext(Phase phase, LockRequest request) {
        this.phase = phase;
        this.request = request;
    }

    /** What is observed. */
    public Phase phase() {
        return phase;
    }

    /** What was asked for. Its key may be personal data. */
    public LockRequest request() {
        return request;
    }

    /** How it ended; {@link Outcome#NONE} before that. */
    public Outcome outcome() {
        return outcome;
    }

    /** How many were ahead when the caller entered the queue; empty if it was not queued, or not yet. */
    public OptionalLong queuePosition() {
        return queuePosition;
    }

    /** The fencing token of the grant; empty before that. */
    public OptionalLong fencingToken() {
        return fencingToken;
    }

    void ended(Outcome how) {
        outcome = how;
    }

    void stoodAt(OptionalLong place) {
        queuePosition = place;
    }

    void has(long token) {
        fencingToken = OptionalLong.of(token);
    }
}
