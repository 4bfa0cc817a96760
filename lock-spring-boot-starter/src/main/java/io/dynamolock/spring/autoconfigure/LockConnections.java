package io.dynamolock.spring.autoconfigure;

import io.dynamolock.spring.aspect.LockRegistryLifecycle;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.utils.AttributeMap;

/**
 * The connections of the client that the starter builds. They are closed when the application context is stopped, after its
 * registries have paused, because no checkpoint of the process can be taken while there are any, and those of a process that was
 * frozen for long are dead. The next call opens new ones. Thread-safe.
 */
final class LockConnections implements SdkHttpClient.Builder<LockConnections>, SmartLifecycle {

    private final int most;
    private @Nullable AttributeMap settings;
    private volatile @Nullable SdkHttpClient open;
    private volatile boolean running;

    /** @param most how many at once */
    LockConnections(int most) {
        this.most = most;
    }

    @Override
    public synchronized SdkHttpClient buildWithDefaults(AttributeMap defaults) {
        settings = defaults;
        return new Client();
    }

    /** Nobody waits in here: making a client opens no connection. */
    private SdkHttpClient client() {
        SdkHttpClient present = open;
        if (present != null) {
            return present;
        }
        synchronized (this) {
            present = open;
            if (present == null) {
                AttributeMap given = settings == null ? AttributeMap.empty() : settings;
                present = Apache5HttpClient.builder().maxConnections(most).buildWithDefaults(given);
                open = present;
            }
            return present;
        }
    }

    /** Closes what is open; the next call opens anew. */
    void closeOpen() {
        SdkHttpClient present;
        synchronized (this) {
            present = open;
            open = null;
        }
        if (present != null) {
            present.close();
        }
    }

    boolean areOpen() {
        return open != null;
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        closeOpen();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public boolean isPauseable() {
        return false;
    }

    /** The registries stop before. */
    @Override
    public int getPhase() {
        return LockRegistryLifecycle.PHASE - 1;
    }

    /** What the SDK sees: one client for as long as its own. */
    private final class Client implements SdkHttpClient {

        private volatile boolean closed;

        @Override
        public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
            if (closed) {
                throw new IllegalStateException("The client of the locks is closed");
            }
            return client().prepareRequest(request);
        }

        @Override
        public String clientName() {
            return client().clientName();
        }

        @Override
        public void close() {
            closed = true;
            closeOpen();
        }
    }
}
