package io.dynamolock;

import io.dynamolock.internal.engine.AcquireOutcome;
import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.store.StoreFailure;
import java.util.function.Predicate;

/** What the engine's outcomes are for users: handles and exceptions. */
final class Outcomes {

    private final Fences fences;

    Outcomes(Fences fences) {
        this.fences = fences;
    }

    /**
     * The handle, or the exception that says why there is none.
     *
     * @param mayBeOwn whether the wait may have been one for the waiting thread itself
     */
    GrantHandle handle(
            AcquireSpec spec,
            AcquireOutcome outcome,
            FollowedCaller caller,
            RegistryThreads.Tellers tellers,
            Predicate<AcquireSpec> mayBeOwn) {
        String key = spec.key().key();
        String namespace = spec.key().namespace();
        if (outcome instanceof AcquireOutcome.Granted granted) {
            return new GrantHandle(granted.grant(), tellers, fences, caller);
        } else if (outcome instanceof AcquireOutcome.TimedOut timedOut) {
            throw new LockTimeoutException(
                    key, namespace, timedOut.waited(), timedOut.ahead(), timedOut.holder(), mayBeOwn.test(spec));
        } else if (outcome instanceof AcquireOutcome.Failed failed) {
            if (failed.cause().kind() == StoreFailure.Kind.WRONG_CLOCK) {
                throw new LockClockException(key, namespace, failed.cause());
            }
            throw LockStoreException.ofAcquisition(key, namespace, failed.waited(), failed.cause());
        } else if (outcome instanceof AcquireOutcome.Evicted evicted) {
            throw new LockEvictedException(key, namespace, evicted.waited());
        } else if (outcome instanceof AcquireOutcome.OtherPermits other) {
            throw new LockPermitsException(key, namespace, spec.permits(), other.permits());
        } else if (outcome instanceof AcquireOutcome.NotFound) {
            throw new LockNotFoundException(key, namespace);
        } else if (outcome instanceof AcquireOutcome.Paused) {
            throw new LockPausedException(key, namespace);
        } else if (outcome instanceof AcquireOutcome.Closed) {
            throw new LockClosedException(key, namespace);
        }
        throw new IllegalStateException("abandoned, but not by the caller: " + outcome);
    }
}
