package io.dynamolock.spring;

import io.dynamolock.LeaderElection;
import io.dynamolock.LeaderListener;
import io.dynamolock.LockRegistry;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.SmartLifecycle;

/**
 * The elections of all beans with {@link DynamoLeader}: they begin with the last phase of the context's start, and end
 * with the first of its stop, so long before the registry is closed. Its bean is auto-configured; a program without
 * auto-configuration may declare it itself. Thread-safe.
 */
public final class DynamoLeaders implements SmartLifecycle, SmartInitializingSingleton {

    private final ConfigurableListableBeanFactory beans;
    private final Supplier<LockRegistry> registry;
    private @Nullable Map<String, LeaderListener> listeners;
    private Map<String, LeaderElection> elections = Map.of();
    private boolean running;

    /** @param registry asked when the elections begin, if there are any */
    public DynamoLeaders(ConfigurableListableBeanFactory beans, Supplier<LockRegistry> registry) {
        this.beans = beans;
        this.registry = registry;
    }

    /** @throws InvalidDynamoLeaderException if an annotation cannot work */
    @Override
    public void afterSingletonsInstantiated() {
        listeners();
    }

    private synchronized Map<String, LeaderListener> listeners() {
        if (listeners == null) {
            listeners = LeaderBeans.in(beans);
        }
        return listeners;
    }

    /** The names of the elections. */
    public Set<String> names() {
        return Set.copyOf(listeners().keySet());
    }

    /** Whether this instance leads. */
    public synchronized boolean isLeader(String name) {
        LeaderElection election = elections.get(name);
        return election != null && election.isLeader();
    }

    @Override
    public synchronized void start() {
        if (!running) {
            Map<String, LeaderElection> begun = new LinkedHashMap<>();
            listeners()
                    .forEach((name, listener) -> begun.put(name, registry.get().elect(name, listener)));
            elections = begun;
            running = true;
        }
    }

    @Override
    public void stop() {
        end().join();
    }

    @Override
    public void stop(Runnable callback) {
        end().whenComplete((done, failure) -> callback.run());
    }

    /** Completes when every leader has resigned and its lock is given back. */
    private synchronized CompletableFuture<Void> end() {
        running = false;
        CompletableFuture<?>[] ending =
                elections.values().stream().map(LeaderElection::closeAsync).toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(ending);
    }

    @Override
    public synchronized boolean isRunning() {
        return running;
    }
}
