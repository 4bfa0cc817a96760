package io.dynamolock.spring.leaders;

import io.dynamolock.LeaderElection;
import io.dynamolock.LockRegistry;
import io.dynamolock.spring.annotation.DynamoLeader;
import io.dynamolock.spring.annotation.InvalidDynamoLeaderException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;

/**
 * Runs the elections of all beans with {@link DynamoLeader}. They begin in the last phase of the context's start and
 * end in the first phase of its stop, long before the registry is closed. The auto-configuration declares the bean, and
 * so does {@code @EnableDynamoLocks}. An application with neither declares the bean itself. Thread-safe.
 */
public final class DynamoLeaders implements SmartLifecycle, SmartInitializingSingleton {

    private final ConfigurableListableBeanFactory beans;
    private final Supplier<LockRegistry> registry;
    private final ShutdownTimeout timeout;

    // Guarded by this.
    /** What the annotations say. Set by the first use, as a rule when all singletons exist; never cleared. */
    private @Nullable LeaderScan scan;
    /** The elections that the last start has begun, by name. Empty before the first start. Kept after a stop. */
    private Map<String, LeaderElection> elections = Map.of();
    /** Whether the elections were started and not stopped since. */
    private boolean running;

    /** @param registry called when the elections begin, if there are any */
    public DynamoLeaders(ConfigurableListableBeanFactory beans, Supplier<LockRegistry> registry) {
        this.beans = beans;
        this.registry = registry;
        this.timeout = new ShutdownTimeout(beans);
    }

    /** @throws InvalidDynamoLeaderException if an annotation cannot work */
    @Override
    public void afterSingletonsInstantiated() {
        scan();
    }

    private synchronized LeaderScan scan() {
        if (scan == null) {
            scan = LeaderScan.of(beans, timeout);
        }
        return scan;
    }

    /** The names of the elections. */
    public Set<String> names() {
        return Set.copyOf(scan().groups().keySet());
    }

    /** Whether this instance leads. */
    public synchronized boolean isLeader(String name) {
        LeaderElection election = elections.get(name);
        return election != null && election.isLeader();
    }

    @Override
    public void start() {
        if (!isRunning()) {
            // Spring may have started beans that must run on the leader only, with the context or because another bean
            // needs them.
            scan().lifecycles().stream().filter(Lifecycle::isRunning).forEach(Lifecycle::stop);
            beginElections();
        }
    }

    private synchronized void beginElections() {
        Map<String, LeaderElection> started = new LinkedHashMap<>();
        scan().groups()
                .forEach((name, group) -> started.put(name, registry.get().elect(name, group)));
        elections = started;
        running = true;
    }

    /**
     * Returns when every leader has resigned and released its lock: only then may Spring stop the beans that lead.
     * Waits at most as long as Spring Boot lets a phase take. A leader that closes the context itself waits here for
     * its own resignation.
     */
    @Override
    public void stop() {
        timeout.await(endElections(), "Not all leaders have resigned within {}; Spring goes on to stop beans");
    }

    private synchronized CompletableFuture<Void> endElections() {
        running = false;
        return CompletableFuture.allOf(
                elections.values().stream().map(LeaderElection::closeAsync).toArray(CompletableFuture<?>[]::new));
    }

    @Override
    public synchronized boolean isRunning() {
        return running;
    }
}
