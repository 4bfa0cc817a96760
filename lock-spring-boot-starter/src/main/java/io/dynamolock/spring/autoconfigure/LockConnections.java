package io.dynamolock.spring.autoconfigure;

import io.dynamolock.spring.internal.registry.LockRegistryLifecycle;
import org.jspecify.annotations.Nullable;
import org.springframework.context.Lifecycle;
import org.springframework.context.Phased;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;

/**
 * The connections of the client that the starter builds. They are closed when the application context is stopped, after its
 * registries have paused, because no checkpoint of the process can be taken while there are any, and those of a process that was
 * frozen for long are dead. The next call opens new ones. Thread-safe.
 */
final class LockConnections implements SdkHttpClient, Lifecycle, Phased {

    /** More than are ever open: the locks limit their calls themselves. */
    private static final int MOST = 20_000;

    private @Nullable SdkHttpClient open;

    /** Making a client opens no connection. */
    private synchronized SdkHttpClient client() {
        if (open == null) {
            open = Apache5HttpClient.builder().maxConnections(MOST).build();
        }
        return open;
    }

    @Override
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
        return client().prepareRequest(request);
    }

    @Override
    public synchronized void close() {
        if (open != null) {
            open.close();
            open = null;
        }
    }

    /** The next call does. */
    @Override
    public void start() {}

    @Override
    public void stop() {
        close();
    }

    /** Whether there are connections to be closed. */
    @Override
    public synchronized boolean isRunning() {
        return open != null;
    }

    /** The registries stop before. */
    @Override
    public int getPhase() {
        return LockRegistryLifecycle.PHASE - 1;
    }
}
