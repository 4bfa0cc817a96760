package io.dynamolock.spring.observation;

import io.dynamolock.LockObserver;
import io.dynamolock.LockRequest;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.Locale;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Observes each caller of a lock: as {@code dynamolock.wait} while it waits, and as {@code dynamolock.hold} while it
 * holds the lock. Both are children of the observation that is current on the caller's thread when it requests the
 * lock. Neither has a scope, because another thread may release the lock: observations of work under the lock are
 * siblings of {@code dynamolock.hold}. Without a handler, observing costs a caller nothing. Thread-safe.
 *
 * <ul>
 *   <li>For metrics: {@code name} and {@code namespace} of the lock; {@code mode}, {@code exclusive} or {@code shared};
 *       {@code outcome}, which is {@code acquired}, {@code timeout}, {@code evicted} or {@code abandoned} for a wait,
 *       {@code released} or {@code lost} for a hold, and {@code none} until its end.
 *   <li>For spans only: {@code queue.position}, the number of callers ahead when this caller entered the queue, or 0 if
 *       it was not queued; {@code fencing.token} of the grant; {@code lock.key} if keys are to be shown.
 * </ul>
 */
public final class LockObservations implements LockObserver {

    private static final String FENCING_TOKEN = "fencing.token";

    private final ObservationRegistry observations;
    private final boolean showKeys;
    /** Whether a registry uses this observer. Set once, never cleared. */
    private volatile boolean isUsed;

    /** @param showKeys whether spans carry the keys of locks, which may be personal data */
    public LockObservations(ObservationRegistry observations, boolean showKeys) {
        this.observations = observations;
        this.showKeys = showKeys;
    }

    /** Called when a registry has accepted this observer, before the first request. */
    public void accepted() {
        isUsed = true;
    }

    /** Whether a registry uses this observer, and a handler listens to observations of this name. */
    public boolean observes(String name) {
        return isUsed && !Observation.createNotStarted(name, observations).isNoop();
    }

    @Override
    public @Nullable Attempt requested(LockRequest request) {
        isUsed = true;
        return observations.isNoop() ? null : new Caller(request);
    }

    /** The wait of one caller, and then the hold. */
    private final class Caller implements Attempt {

        private final LockRequest request;
        private final @Nullable Observation parent;
        private final Observation wait;
        private volatile Observation hold = Observation.NOOP;

        Caller(LockRequest request) {
            this.request = request;
            this.parent = observations.getCurrentObservation();
            this.wait = observation("dynamolock.wait").start();
        }

        private Observation observation(String name) {
            Observation observation = Observation.createNotStarted(name, observations)
                    .lowCardinalityKeyValue("name", request.name())
                    .lowCardinalityKeyValue("namespace", request.namespace())
                    .lowCardinalityKeyValue("mode", request.mode().name().toLowerCase(Locale.ROOT))
                    .lowCardinalityKeyValue("outcome", "none")
                    // Set explicitly, because another observation may be current on the thread that reports the grant.
                    .parentObservation(parent);
            return showKeys ? observation.highCardinalityKeyValue("lock.key", request.key()) : observation;
        }

        @Override
        public void granted(long fencingToken, OptionalLong ahead) {
            String token = Long.toString(fencingToken);
            try {
                wait.highCardinalityKeyValue(FENCING_TOKEN, token);
                endWait("acquired", ahead);
            } finally {
                hold = observation("dynamolock.hold").highCardinalityKeyValue(FENCING_TOKEN, token);
                hold.start();
            }
        }

        @Override
        public void notGranted(boolean timedOut, OptionalLong ahead) {
            endWait(timedOut ? "timeout" : "abandoned", ahead);
        }

        @Override
        public void evicted(OptionalLong ahead) {
            endWait("evicted", ahead);
        }

        private void endWait(String outcome, OptionalLong ahead) {
            wait.highCardinalityKeyValue("queue.position", Long.toString(ahead.orElse(0)));
            wait.lowCardinalityKeyValue("outcome", outcome).stop();
        }

        @Override
        public void released() {
            hold.lowCardinalityKeyValue("outcome", "released").stop();
        }

        @Override
        public void lost() {
            hold.lowCardinalityKeyValue("outcome", "lost").stop();
        }
    }
}
