package io.dynamolock.lockingread;

import java.util.Map;
import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A call to DynamoDB and what its end means. The rules are here once, for the driver that blocks and for the other.
 *
 * @param onAnswer the meaning of the attributes in the answer; may throw
 * @param onFailure the meaning of a failure; mostly throws it on
 */
record Call<R>(
        ItemRequest request,
        Function<Map<String, AttributeValue>, R> onAnswer,
        Function<RuntimeException, R> onFailure) {}
