package io.dynamolock.internal.store.dynamodb;

import java.time.Instant;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Values of attributes. */
final class AttributeValues {

    private AttributeValues() {}

    static AttributeValue number(long value) {
        return AttributeValue.fromN(Long.toString(value));
    }

    static AttributeValue string(Object value) {
        return AttributeValue.fromS(value.toString());
    }

    /** The TTL of an item that is written now, in seconds since the epoch. */
    static AttributeValue expiry(Instant now, DynamoTableSettings settings) {
        return number(now.plus(settings.retention()).getEpochSecond());
    }
}
