package io.dynamolock.spring.internal.registry;

import io.dynamolock.LockListener;
import io.dynamolock.LockObserver;
import io.dynamolock.LockRegistry;
import io.dynamolock.internal.registry.DefaultLockRegistry;
import io.dynamolock.spring.observation.LockObservations;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/**
 * Closes the registries of an application context when the context closes: after the web server has finished its
 * requests, and after message listeners, Spring's executors and Quartz have stopped, because all of these may hold
 * locks. A context that is stopped but not closed may be started again, as around a checkpoint of the process: until
 * then, its registries {@linkplain io.dynamolock.LockAdmin#pause() pause}. When Spring's test framework pauses a
 * context, its registries go on.
 *
 * <p>Some executors wait for their tasks only when they are destroyed, after the stop of the context. A registry stays
 * open for these, unless the executor takes with it what the registry needs, such as its client. Other executors are
 * not waited for: some never stop waiting for their tasks, which may wait for locks. For the same reason, nobody waits
 * for a lock of an open registry longer than {@link #LONGEST_WAIT} after the stop.
 *
 * <p>Registers the listeners and the observer of the context at each registry, but only when all beans exist, because a
 * listener may need the registry itself. Thread-safe.
 */
public final class LockRegistryLifecycle
        implements BeanPostProcessor, SmartInitializingSingleton, SmartLifecycle, DisposableBean {

    /** Lower than the default phase of beans, so that the registries stop after them: higher phases stop first. */
    public static final int PHASE = Integer.MIN_VALUE / 2;

    /** How long callers may still wait for locks when the context has stopped. */
    static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    private final ConfigurableApplicationContext context;
    private final ObjectProvider<LockListener> listeners;
    private final ObjectProvider<LockObserver> observer;
    private final List<LockRegistry> registries = new CopyOnWriteArrayList<>();

    /**
     * The registries that this context closes, by bean name. A registry whose bean has an empty {@code destroyMethod}
     * is missing here: the code that made the registry closes it.
     */
    private final Map<String, LockRegistry> registriesToClose = new ConcurrentHashMap<>();

    /**
     * The registries that this context closes, by bean name, from before their set-up: Spring does not destroy a bean
     * whose set-up fails, for example by the check of its table.
     */
    private final Map<String, LockRegistry> made = new ConcurrentHashMap<>();

    /** Whether all beans exist, so that registries may get their listeners. Set once. */
    private volatile boolean beansAreReady;

    /** Set by {@link #start}, cleared by {@link #stop}. */
    private volatile boolean running;

    /**
     * Whether the registries pause. Set by {@link #stop} if the context is not being closed, cleared by {@link #start}.
     */
    private volatile boolean paused;

    /** As {@link #LONGEST_WAIT}, which a test may shorten. */
    volatile Duration longestWait = LONGEST_WAIT;

    LockRegistryLifecycle(
            ConfigurableApplicationContext context,
            ObjectProvider<LockListener> listeners,
            ObjectProvider<LockObserver> observer) {
        this.context = context;
        this.listeners = listeners;
        this.observer = observer;
    }

    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
        if (bean instanceof LockRegistry registry && isSingleton(beanName) && isClosedHere(beanName)) {
            made.put(beanName, registry);
        }
        return bean;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof LockRegistry registry && isSingleton(beanName)) {
            if (isClosedHere(beanName)) {
                registriesToClose.put(beanName, registry);
            }
            registries.add(registry);
            if (beansAreReady) {
                registerListeners(registry);
            }
        }
        return bean;
    }

    private boolean isSingleton(String beanName) {
        ConfigurableListableBeanFactory beans = context.getBeanFactory();
        return beans.containsBeanDefinition(beanName)
                && beans.getMergedBeanDefinition(beanName).isSingleton();
    }

    /** An empty {@code destroyMethod} means that the maker of the registry closes it. */
    private boolean isClosedHere(String beanName) {
        return !""
                .equals(context.getBeanFactory()
                        .getMergedBeanDefinition(beanName)
                        .getDestroyMethodName());
    }

    @Override
    public void afterSingletonsInstantiated() {
        beansAreReady = true;
        registries.forEach(this::registerListeners);
    }

    /**
     * Registers the listeners and the observer of the context. A registry ignores a listener that it knows already. A
     * {@link LockRegistry} implemented outside of this library gets no listeners.
     */
    private void registerListeners(LockRegistry registry) {
        // The bean may be a proxy around the registry.
        if (AopProxyUtils.getSingletonTarget(registry) instanceof LockRegistry behind) {
            registerListeners(behind);
        } else if (registry instanceof DefaultLockRegistry ours) {
            // The observer is registered before the listeners: the meters, a listener, ask it which timers to leave
            // out.
            LockObserver unique = observer.getIfUnique();
            if (unique != null && ours.observe(unique) && unique instanceof LockObservations observations) {
                observations.accepted();
            }
            listeners.orderedStream().forEach(ours::addListener);
        }
    }

    @Override
    public void start() {
        if (paused) {
            paused = false;
            registriesToClose.values().forEach(registry -> registry.admin().resume());
        }
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        paused = !context.isClosed();
        if (paused) {
            registriesToClose.values().forEach(registry -> registry.admin().pause());
        } else {
            List<String> executors = busyExecutors();
            registriesToClose.forEach((name, registry) -> closeAfter(executors, name, registry));
        }
    }

    private void closeAfter(List<String> executors, String name, LockRegistry registry) {
        DestructionOrder order = new DestructionOrder(context.getBeanFactory());
        Set<String> needed = order.destroyedAfter(name);
        List<String> outlived = executors.stream()
                .filter(executor -> order.destroyedBefore(executor).stream().noneMatch(needed::contains))
                .toList();
        if (outlived.isEmpty()) {
            registry.close();
        } else {
            // Leaves the closing to the destruction of the beans. Spring destroys the dependents of a bean before the
            // bean itself. So, with the executors as dependents, the registry is closed after them.
            outlived.forEach(executor -> context.getBeanFactory().registerDependentBean(name, executor));
            endWaits(registry);
        }
    }

    private void endWaits(LockRegistry registry) {
        Object behind = AopProxyUtils.getSingletonTarget(registry);
        if ((behind == null ? registry : behind) instanceof DefaultLockRegistry ours) {
            ours.endWaitsAfter(longestWait);
        }
    }

    /**
     * Executors of Spring, and schedulers of Quartz, that may still run tasks: they wait for their tasks only when they
     * are destroyed. Creates no beans.
     */
    private List<String> busyExecutors() {
        ConfigurableListableBeanFactory beans = context.getBeanFactory();
        return Arrays.stream(beans.getSingletonNames())
                .filter(beans::containsBeanDefinition)
                .filter(name -> mayRunTasks(beans.getSingleton(name)))
                .toList();
    }

    private static boolean mayRunTasks(@Nullable Object bean) {
        return QuartzSchedulers.mayRunJobs(bean)
                || bean instanceof SimpleAsyncTaskExecutor simple && simple.isActive()
                || bean instanceof ThreadPoolTaskExecutor pool
                        && !pool.getThreadPoolExecutor().isTerminated()
                || bean instanceof ThreadPoolTaskScheduler scheduler
                        && !scheduler.getScheduledExecutor().isTerminated();
    }

    /**
     * Closes a registry whose set-up has failed, which would keep a thread for ever. All others are closed by now, and
     * are not affected.
     */
    @Override
    public void destroy() {
        made.values().forEach(LockRegistry::close);
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
