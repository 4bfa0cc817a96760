package io.dynamolock.lockingread;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Supplier;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * The calls to DynamoDB, by either of its clients; each answers with the attributes of the response.
 *
 * @param inCallersThread whether the caller's own thread makes them, so that a future is complete when it is returned.
 *     With {@link Pauses#blocking} that holds for whatever is made of such futures, and only {@link #result} is left to
 *     do
 */
record ItemCalls(
        Function<UpdateItemRequest, CompletableFuture<Map<String, AttributeValue>>> update,
        Function<DeleteItemRequest, CompletableFuture<Map<String, AttributeValue>>> delete,
        boolean inCallersThread) {

    static ItemCalls by(DynamoDbAsyncClient client) {
        return new ItemCalls(
                request -> client.updateItem(request).thenApply(UpdateItemResponse::attributes),
                request -> client.deleteItem(request).thenApply(DeleteItemResponse::attributes),
                false);
    }

    static ItemCalls by(DynamoDbClient client) {
        return new ItemCalls(
                request -> CompletableFuture.completedFuture(
                        client.updateItem(request).attributes()),
                request -> CompletableFuture.completedFuture(
                        client.deleteItem(request).attributes()),
                true);
    }

    boolean isInterrupted() {
        return inCallersThread && Thread.currentThread().isInterrupted();
    }

    /** Makes calls that free something, which an interrupt is not to prevent; the thread's flag is kept. */
    <R> R uninterrupted(Supplier<R> calls) {
        boolean interrupted = inCallersThread && Thread.interrupted();
        try {
            return calls.get();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Returns what a complete future brought, or throws what it failed with. */
    static <R> R result(CompletableFuture<R> complete) {
        try {
            return complete.join();
        } catch (CompletionException failure) {
            if (failure.getCause() instanceof Error error) {
                throw error;
            }
            throw failure.getCause() instanceof RuntimeException thrown ? thrown : failure;
        }
    }
}
