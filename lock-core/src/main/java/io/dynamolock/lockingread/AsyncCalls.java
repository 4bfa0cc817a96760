package io.dynamolock.lockingread;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/** Makes calls by a client that does not block. */
record AsyncCalls(DynamoDbAsyncClient client) implements ItemCalls {

    @Override
    public CompletableFuture<Map<String, AttributeValue>> update(UpdateItemRequest request) {
        return client.updateItem(request).thenApply(UpdateItemResponse::attributes);
    }

    @Override
    public CompletableFuture<Map<String, AttributeValue>> delete(DeleteItemRequest request) {
        return client.deleteItem(request).thenApply(DeleteItemResponse::attributes);
    }
}
