package io.dynamolock.lockingread;

import java.util.Map;
import java.util.function.Supplier;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Makes calls by a client that blocks. */
final class BlockingCalls {

    private final DynamoDbClient client;

    BlockingCalls(DynamoDbClient client) {
        this.client = client;
    }

    <R> R make(Call<R> call) {
        Map<String, AttributeValue> answer;
        try {
            answer = send(call.request());
        } catch (RuntimeException failure) {
            return call.onFailure().apply(failure);
        }
        return call.onAnswer().apply(answer);
    }

    private Map<String, AttributeValue> send(ItemRequest request) {
        if (request instanceof ItemRequest.Update update) {
            return client.updateItem(update.request()).attributes();
        }
        return client.deleteItem(((ItemRequest.Delete) request).request()).attributes();
    }

    /** Calls that free something are made even for a thread that was interrupted; its flag is as before then. */
    static <R> R uninterrupted(Supplier<R> calls) {
        boolean interrupted = Thread.interrupted();
        try {
            return calls.get();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
