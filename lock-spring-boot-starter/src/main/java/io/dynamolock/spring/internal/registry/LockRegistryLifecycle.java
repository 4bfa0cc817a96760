package io.dynamolock.spring.internal.registry;

import io.dynamolock.LockListener;
import io.dynamolock.LockObserver;
import io.dynamolock.LockRegistry;
import io.dynamolock.internal.registry.DefaultLockRegistry;
import io.dynamolock.spring.observation.LockObservations;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/**
 * Closes the registries of an application context when it closes: after the web server has finished its requests, and after
 * executors and message listeners have stopped, because all of these may hold locks. A context that is merely stopped may be
 * started again, as around a checkpoint of the process: its registries {@linkplain io.dynamolock.LockAdmin#pause() pause} until then.
 * One that is paused keeps them as they are.
 *
 * <p>Has the listeners and the observer of the context hear from each of them, but only when all beans are there, because a listener
 * may need the registry itself. Thread-safe.
 */
public final class LockRegistryLifecycle implements BeanPostProcessor, SmartInitializingSingleton, SmartLifecycle {

    /** Everything that says nothing about its phase has zero or more; the higher stop first. */
    public static final int PHASE = Integer.MIN_VALUE / 2;

    private final ConfigurableApplicationContext context;
    private final ObjectProvider<LockListener> listeners;
    private final ObjectProvider<LockObserver> observer;
    private final List<LockRegistry> all = new CopyOnWriteArrayList<>();

    /** Those of which this context says when they end. */
    private final Map<String, LockRegistry> own = new ConcurrentHashMap<>();

    private volatile boolean areBeansThere;
    private volatile boolean running;
    private volatile boolean paused;

    LockRegistryLifecycle(
            ConfigurableApplicationContext context,
            ObjectProvider<LockListener> listeners,
            ObjectProvider<LockObserver> observer) {
        this.context = context;
        this.listeners = listeners;
        this.observer = observer;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        ConfigurableListableBeanFactory beans = context.getBeanFactory();
        if (bean instanceof LockRegistry registry && beans.containsBeanDefinition(beanName)) {
            BeanDefinition definition = beans.getMergedBeanDefinition(beanName);
            if (definition.isSingleton()) {
                // As @Bean(destroyMethod = "") says that its maker closes it.
                if (!"".equals(definition.getDestroyMethodName())) {
                    own.put(beanName, registry);
                }
                all.add(registry);
                if (areBeansThere) {
                    introduce(registry);
                }
            }
        }
        return bean;
    }

    @Override
    public void afterSingletonsInstantiated() {
        areBeansThere = true;
        all.forEach(this::introduce);
    }

    /** Whoever hears from a registry already does not hear twice. One that is not of this library has its own listeners. */
    private void introduce(LockRegistry registry) {
        // An aspect of the application may stand before it.
        if (AopProxyUtils.getSingletonTarget(registry) instanceof LockRegistry behind) {
            introduce(behind);
        } else if (registry instanceof DefaultLockRegistry ours) {
            // Before the meters, which time what is not observed.
            LockObserver following = observer.getIfUnique();
            if (following != null && ours.observe(following) && following instanceof LockObservations observations) {
                observations.accepted();
            }
            listeners.orderedStream().forEach(ours::addListener);
        }
    }

    @Override
    public void start() {
        if (paused) {
            paused = false;
            own.values().forEach(registry -> registry.admin().resume());
        }
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        paused = !context.isClosed();
        List<String> late = paused ? List.of() : lateExecutors();
        if (late.isEmpty()) {
            own.values().forEach(paused ? registry -> registry.admin().pause() : LockRegistry::close);
        } else {
            // The context destroys what depends on a bean before the bean, and the registry's destruction closes it.
            ConfigurableListableBeanFactory beans = context.getBeanFactory();
            own.keySet().forEach(registry -> late.forEach(executor -> beans.registerDependentBean(registry, executor)));
        }
    }

    /** Those that may still run tasks: they await theirs only when they are destroyed. One that nobody needed yet is not made. */
    private List<String> lateExecutors() {
        ConfigurableListableBeanFactory beans = context.getBeanFactory();
        return Arrays.stream(beans.getSingletonNames())
                .filter(beans::containsBeanDefinition)
                .filter(name -> mayRunTasks(beans.getSingleton(name)))
                .toList();
    }

    private static boolean mayRunTasks(@Nullable Object bean) {
        return bean instanceof SimpleAsyncTaskExecutor simple && simple.isActive()
                || bean instanceof ThreadPoolTaskExecutor pool
                        && !pool.getThreadPoolExecutor().isTerminated()
                || bean instanceof ThreadPoolTaskScheduler scheduler
                        && !scheduler.getScheduledExecutor().isTerminated();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public boolean isPauseable() {
        return false;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
