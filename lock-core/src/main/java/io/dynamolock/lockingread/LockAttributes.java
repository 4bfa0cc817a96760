package io.dynamolock.lockingread;

import java.time.Instant;
import java.util.List;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The names of the four attributes that are a lock. */
record LockAttributes(String token, String owner, String until, String lease) {

    List<String> all() {
        return List.of(token, owner, until, lease);
    }

    /** The condition that the lock of this token stands in the item. */
    String tokenEquals(String value, ItemExpression expression) {
        return expression.equal(token, AttributeValue.fromS(value));
    }

    /** The condition that this lock stands in the item, and was not extended beyond this end. */
    String standsUpTo(Instant end, String value, ItemExpression expression) {
        return tokenEquals(value, expression) + " AND " + expression.compare(until, "<=", ItemLock.millis(end));
    }
}
