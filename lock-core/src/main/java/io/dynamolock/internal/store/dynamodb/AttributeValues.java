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

    /** A time for TTL, in seconds since the epoch. */
    static AttributeValue expiry(Instant at) {
        return number(at.getEpochSecond());
    }
}
