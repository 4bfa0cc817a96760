package io.dynamolock.spring;

import io.dynamolock.LockEvent;
import java.time.Duration;

/**
 * A lock of this process was lost before it was released; published to the application context. Its holder is told by itself, see
 * {@link DynamoLocked#onLost()}: this is for alarms. Listeners hear it after the fact, on a thread of their own, in the order in
 * which it happened. Keys may be personal data.
 *
 * @param key what was locked
 * @param namespace the lock's namespace
 * @param name the name used for metrics
 * @param fencingToken the grant's fencing token
 * @param held from the grant to the loss
 * @param reason why, as {@link LockEvent.Lost#reason()} lists it
 */
public record LockLostEvent(
        String key, String namespace, String name, long fencingToken, Duration held, String reason) {

    static LockLostEvent of(LockEvent.Lost lost) {
        return new LockLostEvent(
                lost.key(), lost.namespace(), lost.name(), lost.fencingToken(), lost.held(), lost.reason());
    }

    /** Without the key. */
    @Override
    public String toString() {
        return "LockLostEvent[namespace=" + namespace + ", name=" + name + ", fencingToken=" + fencingToken + ", held="
                + held + ", reason=" + reason + "]";
    }
}
