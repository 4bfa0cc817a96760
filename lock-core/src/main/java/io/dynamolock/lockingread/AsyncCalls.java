package io.dynamolock.lockingread;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/** Makes calls by a client that does not block. */
final class AsyncCalls {

    private final DynamoDbAsyncClient client;

    AsyncCalls(DynamoDbAsyncClient client) {
        this.client = client;
    }

    /** The future fails with what the call's meaning throws, without anything around it. */
    <R> CompletableFuture<R> make(Call<R> call) {
        CompletableFuture<R> result = new CompletableFuture<>();
        send(call.request()).whenComplete((answer, failure) -> {
            try {
                result.complete(meaning(call, answer, failure));
            } catch (Throwable thrown) {
                result.completeExceptionally(thrown);
            }
        });
        return result;
    }

    private static <R> R meaning(
            Call<R> call, @Nullable Map<String, AttributeValue> answer, @Nullable Throwable failure) throws Throwable {
        if (failure == null && answer != null) {
            return call.onAnswer().apply(answer);
        }
        Throwable cause = failure == null ? new IllegalStateException("no answer") : Failures.unwrap(failure);
        if (cause instanceof RuntimeException thrown) {
            return call.onFailure().apply(thrown);
        }
        throw cause;
    }

    private CompletableFuture<Map<String, AttributeValue>> send(ItemRequest request) {
        try {
            if (request instanceof ItemRequest.Update update) {
                return client.updateItem(update.request()).thenApply(UpdateItemResponse::attributes);
            }
            return client.deleteItem(((ItemRequest.Delete) request).request())
                    .thenApply(DeleteItemResponse::attributes);
        } catch (RuntimeException notSent) {
            return CompletableFuture.failedFuture(notSent);
        }
    }
}
