package io.dynamolock.spring.observation;

import io.dynamolock.LockRequest;
import io.dynamolock.spring.observation.DynamoLockObservationContext.Outcome;
import io.dynamolock.spring.observation.DynamoLockObservationContext.Phase;
import io.micrometer.common.KeyValues;
import java.util.Locale;

/**
 * The observations {@code dynamolock.wait} and {@code dynamolock.hold}, with these keys. Thread-safe.
 *
 * <ul>
 *   <li>For metrics: {@code name} and {@code namespace} of the lock; {@code mode}, {@code exclusive} or {@code shared}; {@code
 *       outcome}, of a wait {@code acquired}, {@code timeout} or {@code abandoned}, of a hold {@code released} or {@code lost},
 *       and {@code none} before that.
 *   <li>For spans only: {@code queue.position}, how many were ahead when the caller entered the queue, or 0 if it was not queued;
 *       {@code fencing.token} of the grant; {@code lock.key} if keys are to be shown.
 * </ul>
 */
public class DefaultDynamoLockObservationConvention implements DynamoLockObservationConvention {

    private final boolean showKeys;

    /** @param showKeys whether spans carry the keys of locks, which may be personal data */
    public DefaultDynamoLockObservationConvention(boolean showKeys) {
        this.showKeys = showKeys;
    }

    @Override
    public String getName() {
        return "dynamolock";
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(DynamoLockObservationContext context) {
        LockRequest request = context.request();
        return KeyValues.of(
                "name", request.name(),
                "namespace", request.namespace(),
                "mode", text(request.mode()),
                "outcome", text(context.outcome()));
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(DynamoLockObservationContext context) {
        KeyValues values = KeyValues.empty();
        if (showKeys) {
            values = values.and("lock.key", context.request().key());
        }
        if (context.phase() == Phase.WAIT && context.outcome() != Outcome.NONE) {
            long position = context.queuePosition().orElse(0);
            values = values.and("queue.position", Long.toString(position));
        }
        if (context.fencingToken().isPresent()) {
            values = values.and(
                    "fencing.token", Long.toString(context.fencingToken().getAsLong()));
        }
        return values;
    }

    private static String text(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
