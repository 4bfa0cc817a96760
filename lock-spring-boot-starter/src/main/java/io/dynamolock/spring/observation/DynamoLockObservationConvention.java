package io.dynamolock.spring.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * What the observations of locks are called, and which keys they have. A bean of this type takes the place of
 * {@link DefaultDynamoLockObservationConvention}. Implementations are thread-safe. What they throw is logged; the lock is not
 * affected.
 */
public interface DynamoLockObservationConvention extends ObservationConvention<DynamoLockObservationContext> {

    @Override
    default boolean supportsContext(Observation.Context context) {
        return context instanceof DynamoLockObservationContext;
    }
}
