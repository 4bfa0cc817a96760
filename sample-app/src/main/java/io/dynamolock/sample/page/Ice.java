package io.dynamolock.sample.page;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Holds up the calls of a client, as if a long garbage collection or the host had frozen its process. The calls are
 * sent, late, when the ice melts. Thread-safe.
 */
final class Ice {

    private volatile CompletableFuture<Void> thawed = CompletableFuture.completedFuture(null);

    /** The same client, under this ice. Closing the result leaves the client itself open. */
    DynamoDbClient over(DynamoDbClient client) {
        return (DynamoDbClient) Proxy.newProxyInstance(
                DynamoDbClient.class.getClassLoader(), new Class<?>[] {DynamoDbClient.class}, (proxy, method, args) -> {
                    if (method.getName().equals("close")) {
                        return null;
                    }
                    thawed.join();
                    try {
                        return method.invoke(client, args);
                    } catch (InvocationTargetException failure) {
                        throw failure.getTargetException();
                    }
                });
    }

    /** @return whether it was not frozen before */
    synchronized boolean freeze() {
        if (!thawed.isDone()) {
            return false;
        }
        thawed = new CompletableFuture<>();
        return true;
    }

    /** Does nothing if it is not frozen. */
    synchronized void thaw() {
        thawed.complete(null);
    }

    boolean isFrozen() {
        return !thawed.isDone();
    }
}
