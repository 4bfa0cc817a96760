package io.dynamolock.spring.autoconfigure;

import io.dynamolock.spring.internal.registry.LockRegistryLifecycle;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.Lifecycle;
import org.springframework.context.Phased;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;

/**
 * The HTTP client of the DynamoDB client that the starter builds. It can be closed and used again: its connections are
 * closed when the application context stops, after the registries have paused. A process with open connections cannot
 * be checkpointed, and all connections are dead after a long freeze. The next call opens new ones. When the context is
 * closed, the connections stay until the beans are destroyed, since registries may still need them. Thread-safe.
 */
final class RestartableHttpClient implements SdkHttpClient, Lifecycle, Phased, ApplicationContextAware {

    /** Maximum number of connections. Never reached, because the locks limit their calls themselves. */
    private static final int MAX_CONNECTIONS = 20_000;

    /**
     * Owns the connections. Set by a call that finds none; null before the first call, and cleared when the connections
     * are closed. Guarded by this.
     */
    private @Nullable SdkHttpClient client;

    /** Set by Spring before any other call; null outside of a context. */
    private @Nullable ApplicationContext context;

    /** Makes the client if there is none, without opening a connection. */
    private synchronized SdkHttpClient client() {
        if (client == null) {
            client = Apache5HttpClient.builder().maxConnections(MAX_CONNECTIONS).build();
        }
        return client;
    }

    @Override
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
        return client().prepareRequest(request);
    }

    @Override
    public synchronized void close() {
        if (client != null) {
            client.close();
            client = null;
        }
    }

    @Override
    public void setApplicationContext(ApplicationContext context) {
        this.context = context;
    }

    /** Does nothing: the next call opens connections. */
    @Override
    public void start() {}

    @Override
    public void stop() {
        boolean isClosing = context instanceof ConfigurableApplicationContext closing && closing.isClosed();
        if (!isClosing) {
            close();
        }
    }

    /** Whether there may be connections to close. */
    @Override
    public synchronized boolean isRunning() {
        return client != null;
    }

    /** After the registries have stopped. */
    @Override
    public int getPhase() {
        return LockRegistryLifecycle.PHASE - 1;
    }
}
