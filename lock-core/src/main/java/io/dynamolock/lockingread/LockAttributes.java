package io.dynamolock.lockingread;

import java.time.Instant;
import java.util.List;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The names of the four attributes that are a lock. */
record LockAttributes(String token, String owner, String until, String lease) {

    /** All four names. */
    List<String> all() {
        return List.of(token, owner, until, lease);
    }

    /** The condition that the lock with this token is in the item. */
    String tokenEquals(String value, ItemExpression expression) {
        return expression.equal(token, AttributeValue.fromS(value));
    }

    /** The condition that the lock with this token is in the item and was not extended beyond this end. */
    String isNotExtendedBeyond(Instant end, String value, ItemExpression expression) {
        return tokenEquals(value, expression) + " AND " + expression.compare(until, "<=", ItemLock.millis(end));
    }
}
