package io.dynamolock.spring.leaders;

import io.dynamolock.LeaderElection;
import io.dynamolock.LeaderListener;
import io.dynamolock.LockRegistry;
import io.dynamolock.spring.annotation.DynamoLeader;
import io.dynamolock.spring.annotation.InvalidDynamoLeaderException;
import io.dynamolock.spring.annotation.LeaderEvent;
import io.dynamolock.spring.internal.MethodNames;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The elections of all beans with {@link DynamoLeader}. They begin in the last phase of the context's start and end in
 * the first phase of its stop, long before the registry is closed. The bean is auto-configured, or comes with {@code
 * @EnableDynamoLocks}; a program that wants neither declares it itself. Thread-safe.
 */
public final class DynamoLeaders implements SmartLifecycle, SmartInitializingSingleton {

    private static final Logger LOG = LoggerFactory.getLogger(DynamoLeaders.class);

    private static final String SHUTDOWN_TIMEOUT = "${spring.lifecycle.timeout-per-shutdown-phase:30s}";

    private final ConfigurableListableBeanFactory beans;
    private final Supplier<LockRegistry> registry;
    private final List<Lifecycle> lifecycles = new ArrayList<>();
    private @Nullable Map<String, LeaderGroup> groups;
    private Map<String, LeaderElection> elections = Map.of();
    private boolean running;

    /** @param registry called when the elections begin, if there are any */
    public DynamoLeaders(ConfigurableListableBeanFactory beans, Supplier<LockRegistry> registry) {
        this.beans = beans;
        this.registry = registry;
    }

    /** @throws InvalidDynamoLeaderException if an annotation cannot work */
    @Override
    public void afterSingletonsInstantiated() {
        groups();
    }

    /** The names of the elections. */
    public Set<String> names() {
        return Set.copyOf(groups().keySet());
    }

    /** Whether this instance leads. */
    public synchronized boolean isLeader(String name) {
        LeaderElection election = elections.get(name);
        return election != null && election.isLeader();
    }

    @Override
    public void start() {
        if (!isRunning()) {
            // Spring may have started beans that are to run on the leader only, with the context or because another
            // bean needs them.
            lifecycles.stream().filter(Lifecycle::isRunning).forEach(Lifecycle::stop);
            synchronized (this) {
                Map<String, LeaderElection> begun = new LinkedHashMap<>();
                groups().forEach((name, group) -> begun.put(name, registry.get().elect(name, group)));
                elections = begun;
                running = true;
            }
        }
    }

    /**
     * Returns when every leader has resigned and released its lock: only then may Spring stop the beans that lead.
     * Waits at most as long as Spring Boot lets a phase take. A leader that closes the context itself waits here for
     * its own resignation.
     */
    @Override
    public void stop() {
        await(end(), "Not all leaders have resigned within {}; Spring goes on to stop beans");
    }

    private void await(CompletableFuture<Void> end, String warning) {
        Duration limit =
                DurationFormatterUtils.detectAndParse(String.valueOf(beans.resolveEmbeddedValue(SHUTDOWN_TIMEOUT)));
        try {
            end.orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS).join();
        } catch (CompletionException failure) {
            LOG.warn(warning, limit, failure);
        }
    }

    private synchronized CompletableFuture<Void> end() {
        running = false;
        return CompletableFuture.allOf(
                elections.values().stream().map(LeaderElection::closeAsync).toArray(CompletableFuture<?>[]::new));
    }

    @Override
    public synchronized boolean isRunning() {
        return running;
    }

    private synchronized Map<String, LeaderGroup> groups() {
        if (groups == null) {
            Map<String, LeaderGroup> found = new LinkedHashMap<>();
            for (String bean : beans.getBeanNamesForType(Object.class, true, false)) {
                if (!ScopedProxyUtils.isScopedTarget(bean)) {
                    find(bean, found);
                }
            }
            groups = found;
        }
        return groups;
    }

    private void find(String bean, Map<String, LeaderGroup> found) {
        DynamoLeader onBean = beans.findAnnotationOnBean(bean, DynamoLeader.class, false);
        Object made = beans.getSingleton(bean);
        if (onBean == null && made != null && AopUtils.isAopProxy(made)) {
            // A JDK proxy does not show the annotation of its class.
            onBean = AnnotatedElementUtils.findMergedAnnotation(
                    AopProxyUtils.ultimateTargetClass(made), DynamoLeader.class);
        }
        if (onBean != null) {
            String place = "bean '" + bean + "'";
            group(onBean, place, found).add(member(bean, place));
        }
        methods(bean).forEach((method, annotation) -> {
            String place = MethodNames.full(method, method.getDeclaringClass()) + " of bean '" + bean + "'";
            group(annotation, place, found).add(member(bean, method, place));
        });
    }

    /**
     * The annotated methods of a bean, without {@code @Bean} methods: their annotation is about the bean that they
     * make.
     */
    private Map<Method, DynamoLeader> methods(String bean) {
        try {
            Class<?> type = AutoProxyUtils.determineTargetClass(beans, bean);
            return type == null
                    ? Map.of()
                    : MethodIntrospector.selectMethods(
                            type,
                            (Method method) -> AnnotatedElementUtils.hasAnnotation(method, Bean.class)
                                    ? null
                                    : AnnotatedElementUtils.findMergedAnnotation(method, DynamoLeader.class));
        } catch (RuntimeException | LinkageError e) {
            // The class, or one that it mentions, is not on the class path.
            LOG.debug("The methods of bean '{}' are not known, so they are not looked at", bean, e);
            return Map.of();
        }
    }

    private LeaderGroup group(DynamoLeader annotation, String place, Map<String, LeaderGroup> found) {
        String name = beans.resolveEmbeddedValue(annotation.value());
        if (name == null || name.isBlank() || name.contains("${")) {
            throw new InvalidDynamoLeaderException(
                    place,
                    "the name \"" + annotation.value() + "\" gives nothing.",
                    "Write a name, or set that property.");
        }
        return found.computeIfAbsent(name, absent -> new LeaderGroup());
    }

    private Consumer<LeaderEvent> member(String bean, String place) {
        Object instance = singleton(bean, place);
        if (instance instanceof LeaderListener listener) {
            return event -> tell(listener, event);
        }
        if (instance instanceof SmartLifecycle smart && smart.isAutoStartup()) {
            throw new InvalidDynamoLeaderException(
                    place,
                    "it starts by itself on every instance, because isAutoStartup() returns true.",
                    "Let isAutoStartup() return false.");
        }
        if (instance instanceof Lifecycle lifecycle) {
            lifecycles.add(lifecycle);
            if (lifecycle instanceof SmartLifecycle) {
                // Most of them have the same phase as the elections. As dependents, they start before the elections.
                for (String self : beans.getBeanNamesForType(DynamoLeaders.class, true, false)) {
                    beans.registerDependentBean(bean, self);
                }
            }
            return event -> run(lifecycle, event);
        }
        throw new InvalidDynamoLeaderException(
                place,
                "it is neither a Lifecycle nor a LeaderListener.",
                "Implement one of them, or annotate a method with a parameter of type LeaderEvent.");
    }

    private static void tell(LeaderListener listener, LeaderEvent event) {
        if (event instanceof LeaderEvent.Granted) {
            listener.granted(event.leadership());
        } else if (event instanceof LeaderEvent.Revoked) {
            listener.revoked(event.leadership());
        } else {
            listener.resigned(event.leadership());
        }
    }

    private void run(Lifecycle bean, LeaderEvent event) {
        if (event instanceof LeaderEvent.Granted) {
            bean.start();
        } else if (bean.isRunning() && bean instanceof SmartLifecycle smart && event instanceof LeaderEvent.Resigned) {
            // The lock is held until the bean has finished its work. After a loss there is nothing to wait for, and the
            // other beans are to hear of it.
            CompletableFuture<Void> stopped = new CompletableFuture<>();
            smart.stop(() -> stopped.complete(null));
            await(stopped, "A leader has not stopped within {}; another one may lead now");
        } else if (bean.isRunning()) {
            bean.stop();
        }
    }

    private Consumer<LeaderEvent> member(String bean, Method method, String place) {
        if (method.getParameterCount() != 1 || !LeaderEvent.class.isAssignableFrom(method.getParameterTypes()[0])) {
            throw new InvalidDynamoLeaderException(
                    place,
                    "it does not take a LeaderEvent.",
                    "Give it one parameter: " + method.getName() + "(LeaderEvent event).");
        }
        Object instance = singleton(bean, place);
        // A method that a proxy cannot override would run on the proxy itself, which has no state.
        int notOverridable = Modifier.PRIVATE | Modifier.STATIC | (AopUtils.isAopProxy(instance) ? Modifier.FINAL : 0);
        if ((method.getModifiers() & notOverridable) != 0) {
            throw new InvalidDynamoLeaderException(
                    place,
                    "it is " + Modifier.toString(method.getModifiers() & notOverridable) + ".",
                    "Make it overridable.");
        }
        // Throws, with a clear message, if the bean is a proxy without the method.
        Method invocable = AopUtils.selectInvocableMethod(method, instance.getClass());
        ReflectionUtils.makeAccessible(invocable);
        return event -> {
            if (invocable.getParameterTypes()[0].isInstance(event)) {
                ReflectionUtils.invokeMethod(invocable, instance, event);
            }
        };
    }

    private Object singleton(String bean, String place) {
        if (!beans.isSingleton(bean)) {
            throw new InvalidDynamoLeaderException(
                    place, "the bean is no singleton.", "Annotate a singleton: one candidate leads.");
        }
        return beans.getBean(bean);
    }
}
