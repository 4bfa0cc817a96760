package io.dynamolock.lockingread;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** Calls to DynamoDB, by one of its two clients; each answers with the attributes of the response. */
interface ItemCalls {

    CompletableFuture<Map<String, AttributeValue>> update(UpdateItemRequest request);

    CompletableFuture<Map<String, AttributeValue>> delete(DeleteItemRequest request);

    /** Whether somebody interrupted the caller, whose own thread makes the calls. */
    default boolean isInterrupted() {
        return false;
    }

    /** Makes calls that free something, which an interrupt is not to prevent. */
    default <R> R uninterrupted(Supplier<R> calls) {
        return calls.get();
    }
}
