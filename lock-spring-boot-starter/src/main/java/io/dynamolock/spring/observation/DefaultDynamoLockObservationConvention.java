package io.dynamolock.spring.observation;

import io.dynamolock.spring.observation.DynamoLockObservationContext.Outcome;
import io.dynamolock.spring.observation.DynamoLockObservationContext.Phase;
import io.dynamolock.spring.observation.LockObservationDocumentation.HighCardinality;
import io.dynamolock.spring.observation.LockObservationDocumentation.LowCardinality;
import io.micrometer.common.KeyValues;
import java.util.Locale;

/**
 * The observation {@code dynamo.lock}, whose spans are {@code dynamo.lock.wait} and {@code dynamo.lock.hold}. Both have one name
 * because timers of these two names count what the registry does as a whole, with other tags. Thread-safe.
 */
public class DefaultDynamoLockObservationConvention implements DynamoLockObservationConvention {

    private final boolean showKeys;

    /** @param showKeys whether spans carry the keys of locks, which may be personal data */
    public DefaultDynamoLockObservationConvention(boolean showKeys) {
        this.showKeys = showKeys;
    }

    @Override
    public String getName() {
        return "dynamo.lock";
    }

    @Override
    public String getContextualName(DynamoLockObservationContext context) {
        return "dynamo.lock." + text(context.phase());
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(DynamoLockObservationContext context) {
        return KeyValues.of(
                LowCardinality.PHASE.withValue(text(context.phase())),
                LowCardinality.NAME.withValue(context.request().name()),
                LowCardinality.NAMESPACE.withValue(context.request().namespace()),
                LowCardinality.MODE.withValue(text(context.request().mode())),
                LowCardinality.OUTCOME.withValue(text(context.outcome())));
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(DynamoLockObservationContext context) {
        KeyValues values = KeyValues.empty();
        if (showKeys) {
            values = values.and(HighCardinality.KEY.withValue(context.request().key()));
        }
        if (context.phase() == Phase.WAIT && context.outcome() != Outcome.NONE) {
            long position = context.queuePosition().orElse(0);
            values = values.and(HighCardinality.QUEUE_POSITION.withValue(Long.toString(position)));
        }
        if (context.fencingToken().isPresent()) {
            String token = Long.toString(context.fencingToken().getAsLong());
            values = values.and(HighCardinality.FENCING_TOKEN.withValue(token));
        }
        return values;
    }

    private static String text(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
