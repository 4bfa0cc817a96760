package io.dynamolock.spring.observation;

import io.dynamolock.LockObserver;
import io.dynamolock.LockRequest;
import io.dynamolock.spring.observation.DynamoLockObservationContext.Outcome;
import io.dynamolock.spring.observation.DynamoLockObservationContext.Phase;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.ObservationView;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Observes each caller of a lock: once while it waits, and once while it holds the lock. Both are children of what is observed
 * on the caller's thread when it asks. Neither has a scope: the lock may be released by another thread, so what the caller does
 * under the lock stands beside the hold, not below it. Without a handler that listens it costs a caller nothing. Thread-safe.
 */
public final class LockObservations implements LockObserver {

    private final ObservationRegistry observations;
    private final DynamoLockObservationConvention convention;

    public LockObservations(ObservationRegistry observations, DynamoLockObservationConvention convention) {
        this.observations = observations;
        this.convention = convention;
    }

    @Override
    public @Nullable Attempt requested(LockRequest request) {
        if (observations.isNoop()) {
            return null;
        }
        Caller caller = new Caller(request, observations.getCurrentObservation());
        caller.wait.start();
        return caller;
    }

    /** What goes on, and what is known of it. */
    private final class Caller implements Attempt {

        private final @Nullable ObservationView parent;
        private final DynamoLockObservationContext waiting;
        private final DynamoLockObservationContext holding;
        private final Observation wait;
        private volatile Observation hold = Observation.NOOP;

        Caller(LockRequest request, @Nullable ObservationView parent) {
            this.parent = parent;
            this.waiting = new DynamoLockObservationContext(Phase.WAIT, request);
            this.holding = new DynamoLockObservationContext(Phase.HOLD, request);
            this.wait = Observation.createNotStarted(convention, () -> waiting, observations);
        }

        @Override
        public void granted(long fencingToken, OptionalLong place) {
            waiting.has(fencingToken);
            holding.has(fencingToken);
            try {
                endWait(Outcome.ACQUIRED, place);
            } finally {
                Observation begun = Observation.createNotStarted(convention, () -> holding, observations);
                // The grant may have come on a thread on which something else is observed.
                holding.setParentObservation(parent);
                hold = begun;
                begun.start();
            }
        }

        @Override
        public void notGranted(boolean timedOut, OptionalLong place) {
            endWait(timedOut ? Outcome.TIMEOUT : Outcome.ABANDONED, place);
        }

        private void endWait(Outcome outcome, OptionalLong place) {
            waiting.stoodAt(place);
            waiting.ended(outcome);
            wait.stop();
        }

        @Override
        public void released() {
            endHold(Outcome.RELEASED);
        }

        @Override
        public void lost() {
            endHold(Outcome.LOST);
        }

        private void endHold(Outcome outcome) {
            holding.ended(outcome);
            hold.stop();
        }
    }
}
