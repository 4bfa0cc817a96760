package io.dynamolock.spring.annotation;

import io.dynamolock.LockEvent;
import java.time.Duration;

/**
 * Published to the application context when a lock of this process was lost before its release. For alarms: {@link
 * DynamoLocked#onLost()} says how the holder learns of the loss. Listeners are called after the loss, on a separate
 * thread, in the order of the losses. Keys may be personal data.
 *
 * @param key what was locked
 * @param namespace the lock's namespace
 * @param name the name used for metrics
 * @param fencingToken the grant's fencing token
 * @param held from the grant to the loss
 * @param reason why the lock was lost, as {@link LockEvent.Lost#reason()} lists it
 */
public record LockLostEvent(
        String key, String namespace, String name, long fencingToken, Duration held, String reason) {

    /** Without the key. */
    @Override
    public String toString() {
        return "LockLostEvent[namespace=" + namespace + ", name=" + name + ", fencingToken=" + fencingToken + ", held="
                + held + ", reason=" + reason + "]";
    }
}
