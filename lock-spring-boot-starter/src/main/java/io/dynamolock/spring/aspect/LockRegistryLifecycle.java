package io.dynamolock.spring.aspect;

import io.dynamolock.LockListener;
import io.dynamolock.LockObserver;
import io.dynamolock.LockRegistry;
import io.dynamolock.internal.DefaultLockRegistry;
import io.dynamolock.spring.observation.LockObservations;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.scheduling.concurrent.ExecutorConfigurationSupport;

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

    private static final Logger LOG = LoggerFactory.getLogger(LockRegistryLifecycle.class);

    /** Everything that says nothing about its phase has zero or more; the higher stop first. */
    public static final int PHASE = Integer.MIN_VALUE / 2;

    private final ConfigurableApplicationContext context;
    private final ObjectProvider<LockListener> listeners;
    private final ObjectProvider<LockObserver> observer;
    private final List<LockRegistry> all = new CopyOnWriteArrayList<>();

    /** Those of which this context says when they end. */
    private final List<LockRegistry> own = new CopyOnWriteArrayList<>();

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
                    own.add(registry);
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
        ConfigurableListableBeanFactory beans = context.getBeanFactory();
        if (beans.getBeanNamesForType(DynamoLockedAdvisor.class).length > 0
                && BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, LockRegistry.class).length > 1) {
            // With no choice between several, it throws now what otherwise every call of a locked method would.
            beans.getBean(LockRegistry.class);
        }
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
            own.forEach(registry -> registry.admin().resume());
        }
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        paused = !context.isClosed();
        if (!paused && !own.isEmpty()) {
            shutDownExecutors();
        }
        own.forEach(paused ? registry -> registry.admin().pause() : LockRegistry::close);
    }

    /**
     * The context does so moments later, when it destroys its beans, and some executors await their tasks only then. It begins with
     * the last, too, because its tasks may use those made before it. An executor that nobody needed yet is not made.
     */
    private void shutDownExecutors() {
        ConfigurableListableBeanFactory beans = context.getBeanFactory();
        List<String> names = Arrays.asList(beans.getSingletonNames());
        Collections.reverse(names);
        for (String name : names) {
            Object bean = beans.containsBeanDefinition(name) ? beans.getSingleton(name) : null;
            try {
                if (bean instanceof SimpleAsyncTaskExecutor executor) {
                    executor.close();
                } else if (bean instanceof ExecutorConfigurationSupport executor) {
                    executor.shutdown();
                    // Its destruction would wait for as long again.
                    executor.setAwaitTerminationMillis(0);
                }
            } catch (RuntimeException e) {
                LOG.warn("The executor '{}' failed to shut down", name, e);
            }
        }
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
