package io.dynamolock;

import io.dynamolock.engine.AcquireSpec;
import io.dynamolock.engine.Kind;
import io.dynamolock.protocol.LockKey;
import java.time.Duration;

/** Puts what users ask for into the words of the engine. */
final class Specs {

    private static final Duration CENTURY = Duration.ofDays(36_500);

    private Specs() {}

    /** The engine's view of the request; what is absurdly long is cut to what no timer overflows on. */
    static AcquireSpec of(LockRequest request, Duration waitIfUnset) {
        if (request.data().isPresent() && request.kind != Kind.EXCLUSIVE) {
            throw new IllegalArgumentException("Only a caller that has the lock for itself alone writes data; leave"
                    + " data() out for " + LockNames.describe(request.key(), request.namespace()) + ".");
        }
        Duration maxHold = request.maxHold().orElse(null);
        Duration holdAtLeast = request.holdAtLeast().orElse(null);
        return new AcquireSpec(
                new LockKey(request.key(), request.namespace()),
                request.name(),
                request.waitTime().orElse(waitIfUnset),
                maxHold == null || maxHold.compareTo(CENTURY) > 0 ? null : maxHold,
                holdAtLeast == null || holdAtLeast.compareTo(CENTURY) < 0 ? holdAtLeast : CENTURY,
                request.kind,
                request.permits,
                request.isOnlyIfExists(),
                request.caller().orElseGet(CallingThread::name));
    }
}
