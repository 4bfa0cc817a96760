package io.dynamolock.internal;

import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.Grant;
import io.dynamolock.internal.engine.Kind;
import io.dynamolock.internal.text.SafeText;
import java.time.Duration;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which thread has acquired what, so that a wait for a lock that the thread holds itself is told as that. No more than told:
 * another thread may release the handle. Keeps nothing itself. Thread-safe.
 */
record OwnHolds(LockEngine engine) {

    private static final Logger log = LoggerFactory.getLogger(OwnHolds.class);

    private static final long NO_THREAD = 0;

    /** Whether it is one of this registry, and held. */
    boolean include(Grant grant) {
        return engine.held(grant.key()).contains(grant);
    }

    /** The calling thread has taken the grant. */
    void add(Grant grant) {
        grant.takenBy(Thread.currentThread().getId());
    }

    /** The calling thread has left the grant to others. */
    void remove(Grant grant) {
        grant.takenBy(NO_THREAD);
    }

    /** Whether a wait of the calling thread for that may be one for itself. */
    boolean standInTheWayOf(AcquireSpec spec) {
        return inTheWayOf(spec).findAny().isPresent();
    }

    private Stream<Grant> inTheWayOf(AcquireSpec spec) {
        long thread = Thread.currentThread().getId();
        return engine.held(spec.key()).stream()
                .filter(grant -> grant.takenBy() == thread && excludes(grant.kind(), spec.kind()));
    }

    /** Whether its longest hold is over before a wait that begins now would be. */
    private static boolean endsBefore(Grant grant, AcquireSpec spec) {
        Duration maxHold = grant.limits().maxHold();
        return maxHold != null && maxHold.minus(grant.held()).compareTo(spec.waitLimit()) < 0;
    }

    private static boolean excludes(Kind held, Kind wanted) {
        return held != Kind.PERMIT && wanted != Kind.PERMIT && (held != Kind.READ || wanted != Kind.READ);
    }

    void warnOfWaiting(AcquireSpec spec) {
        if (!spec.waitLimit().isZero() && !inTheWayOf(spec).allMatch(grant -> endsBefore(grant, spec))) {
            log.warn(
                    "A thread waits for a lock in namespace {} that it has acquired before and not released yet, so it waits"
                            + " for itself, unless another thread releases it. Enter the lock by LockRegistry.lock() in the"
                            + " first place, or release it before.",
                    SafeText.quote(spec.key().namespace()));
        }
    }
}
