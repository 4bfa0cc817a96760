package io.dynamolock.internal.handles;

import io.dynamolock.LockMode;
import io.dynamolock.LockRequest;
import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.HoldLimits;
import io.dynamolock.internal.engine.Kind;
import io.dynamolock.internal.engine.ReleaseTerms;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.text.LockNames;
import io.dynamolock.internal.time.Durations;
import java.time.Duration;

/** Turns requests of users into specifications for the engine. */
public final class Requests {

    private Requests() {}

    public static LockKey key(LockRequest request) {
        return new LockKey(request.key(), request.namespace());
    }

    /** The lock that the request is for, for the middle of a sentence. */
    public static String describe(LockRequest request) {
        return LockNames.describe(key(request), request.name());
    }

    /**
     * The request as the engine takes it. A longest hold of more than a century becomes no limit, and a longer shortest
     * hold becomes a century, because no timer can count more.
     */
    public static AcquireSpec spec(LockRequest request, RequestDefaults defaults) {
        return spec(request, defaults.waitTime(), defaults.release(request));
    }

    private static AcquireSpec spec(LockRequest request, Duration waitIfUnset, ReleaseTerms release) {
        Kind kind = kind(request);
        if (request.data().isPresent() && !kind.isAlone()) {
            throw new IllegalArgumentException("Only a caller that has the lock for itself alone writes data; leave"
                    + " data() out for " + describe(request) + ".");
        }
        HoldLimits limits = limits(request);
        return new AcquireSpec(
                key(request),
                request.name(),
                request.waitTime().orElse(waitIfUnset),
                limits.maxHold(),
                limits.holdAtLeast(),
                kind,
                request.permits().orElse(0),
                request.isOnlyIfExists(),
                request.caller().orElseGet(Requests::thisThread),
                release);
    }

    /**
     * As {@link #spec(LockRequest, RequestDefaults)}, for a caller that releases by itself and waits for that, whatever
     * the request says about its release.
     *
     * @param waitIfUnset the wait of a request that sets none
     */
    public static AcquireSpec spec(LockRequest request, Duration waitIfUnset) {
        return spec(request, waitIfUnset, ReleaseTerms.AWAITED);
    }

    public static HoldLimits limits(LockRequest request) {
        return new HoldLimits(
                request.maxHold()
                        .filter(longest -> longest.compareTo(Durations.CENTURY) <= 0)
                        .orElse(null),
                request.holdAtLeast()
                        .map(shortest -> Durations.shorter(shortest, Durations.CENTURY))
                        .orElse(null));
    }

    /** A request for a lock that is held within these limits. */
    public static LockRequest within(LockKey lock, HoldLimits limits) {
        LockRequest request = LockRequest.of(lock.key()).namespace(lock.namespace());
        Duration maxHold = limits.maxHold();
        if (maxHold != null) {
            request = request.maxHold(maxHold);
        }
        Duration holdAtLeast = limits.holdAtLeast();
        return holdAtLeast == null ? request : request.holdAtLeast(holdAtLeast);
    }

    /** The same request for a call by another thread: unless it names a caller, it gets the name of this thread. */
    public static LockRequest byThisThread(LockRequest request) {
        return request.caller(request.caller().orElseGet(Requests::thisThread));
    }

    private static Kind kind(LockRequest request) {
        if (request.permits().isPresent()) {
            return Kind.PERMIT;
        }
        if (request.isDowngradable()) {
            return Kind.WRITE;
        }
        return request.mode() == LockMode.SHARED ? Kind.READ : Kind.EXCLUSIVE;
    }

    /** Virtual threads have no name unless they are given one. */
    private static String thisThread() {
        Thread thread = Thread.currentThread();
        String name = thread.getName();
        return name.isEmpty() ? "thread " + thread.getId() : name;
    }
}
