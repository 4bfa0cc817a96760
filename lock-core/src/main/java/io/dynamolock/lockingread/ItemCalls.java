package io.dynamolock.lockingread;

import io.dynamolock.internal.threads.Futures;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.exception.SdkServiceException;
import software.amazon.awssdk.http.HttpStatusCode;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * The calls to DynamoDB, made by the blocking client or the asynchronous one.
 *
 * @param inCallersThread whether the caller's own thread makes the calls, so that a future is already complete when it
 *     is returned. Together with {@link Delayer#blocking}, all futures derived from these are complete as well, and
 *     {@link Futures#result} only unpacks them
 */
record ItemCalls(
        Function<UpdateItemRequest, CompletableFuture<UpdateItemResponse>> update,
        Function<DeleteItemRequest, CompletableFuture<DeleteItemResponse>> delete,
        boolean inCallersThread) {

    static ItemCalls by(DynamoDbAsyncClient client) {
        return new ItemCalls(client::updateItem, client::deleteItem, false);
    }

    static ItemCalls by(DynamoDbClient client) {
        return new ItemCalls(
                request -> CompletableFuture.completedFuture(client.updateItem(request)),
                request -> CompletableFuture.completedFuture(client.deleteItem(request)),
                true);
    }

    /** Whether the thread of a blocking caller is interrupted. */
    boolean isInterrupted() {
        return inCallersThread && Thread.currentThread().isInterrupted();
    }

    /** Makes calls that no interrupt may prevent. The thread's flag is kept. */
    <R> CompletableFuture<R> uninterrupted(Supplier<CompletableFuture<R>> call) {
        boolean interrupted = inCallersThread && Thread.interrupted();
        try {
            return Futures.of(call);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Whether a failed call may have taken effect: DynamoDB did not say that it refused the call. */
    static boolean mayHaveLanded(Throwable failure) {
        return !(failure instanceof SdkServiceException answer)
                || answer.statusCode() >= HttpStatusCode.INTERNAL_SERVER_ERROR
                || isRepeated(answer);
    }

    /** Whether the client sent the call more than once, so that an earlier sending may have taken effect. */
    static boolean isRepeated(SdkException failure) {
        return failure.numAttempts() != null && failure.numAttempts() > 1;
    }
}
