package io.dynamolock.lockingread;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Makes calls by a client that blocks, in the caller's own thread: a future is complete when it is returned. With
 * {@link Pauses#blocking} that holds for whatever is made of such calls, and only {@link #result} is left to do.
 */
record BlockingCalls(DynamoDbClient client) implements ItemCalls {

    @Override
    public CompletableFuture<Map<String, AttributeValue>> update(UpdateItemRequest request) {
        return CompletableFuture.completedFuture(client.updateItem(request).attributes());
    }

    @Override
    public CompletableFuture<Map<String, AttributeValue>> delete(DeleteItemRequest request) {
        return CompletableFuture.completedFuture(client.deleteItem(request).attributes());
    }

    @Override
    public boolean isInterrupted() {
        return Thread.currentThread().isInterrupted();
    }

    /** The flag is as before when the calls are made. */
    @Override
    public <R> R uninterrupted(Supplier<R> calls) {
        boolean interrupted = Thread.interrupted();
        try {
            return calls.get();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Returns what a future brought that is complete, or throws what it failed with. */
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
