package io.dynamolock.spring.leaders;

import io.dynamolock.LeaderListener;
import io.dynamolock.spring.annotation.DynamoLeader;
import io.dynamolock.spring.annotation.InvalidDynamoLeaderException;
import io.dynamolock.spring.annotation.LeaderEvent;
import io.dynamolock.spring.internal.MethodNames;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Finds the beans and methods with {@link DynamoLeader} in a context, refuses annotations that cannot work, and groups
 * the others by election. Filled by {@link #of}, never changed afterwards.
 */
final class LeaderScan {

    private static final Logger LOG = LoggerFactory.getLogger(LeaderScan.class);

    private final ConfigurableListableBeanFactory beans;
    private final ShutdownTimeout timeout;
    private final Map<String, LeaderGroup> groups = new LinkedHashMap<>();
    private final List<Lifecycle> lifecycles = new ArrayList<>();

    private LeaderScan(ConfigurableListableBeanFactory beans, ShutdownTimeout timeout) {
        this.beans = beans;
        this.timeout = timeout;
    }

    /** @throws InvalidDynamoLeaderException if an annotation cannot work */
    static LeaderScan of(ConfigurableListableBeanFactory beans, ShutdownTimeout timeout) {
        LeaderScan scan = new LeaderScan(beans, timeout);
        for (String bean : beans.getBeanNamesForType(Object.class, true, false)) {
            if (!ScopedProxyUtils.isScopedTarget(bean)) {
                scan.addBean(bean);
            }
        }
        return scan;
    }

    /** The beans and methods of each election, by the name of the election. */
    Map<String, LeaderGroup> groups() {
        return groups;
    }

    /** The beans that must run only while this instance leads. */
    List<Lifecycle> lifecycles() {
        return lifecycles;
    }

    private void addBean(String bean) {
        DynamoLeader onBean = beans.findAnnotationOnBean(bean, DynamoLeader.class, false);
        Object made = beans.getSingleton(bean);
        if (onBean == null && made != null && AopUtils.isAopProxy(made)) {
            // A JDK proxy does not show the annotation of its class.
            onBean = AnnotatedElementUtils.findMergedAnnotation(
                    AopProxyUtils.ultimateTargetClass(made), DynamoLeader.class);
        }
        if (onBean != null) {
            String place = "bean '" + bean + "'";
            group(onBean, place).add(reactionOfBean(bean, place));
        }
        methods(bean).forEach((method, annotation) -> {
            String place = MethodNames.full(method, method.getDeclaringClass()) + " of bean '" + bean + "'";
            group(annotation, place).add(reactionOfMethod(bean, method, place));
        });
    }

    /**
     * The annotated methods of a bean. Leaves out {@code @Bean} methods, because the annotation of such a method is
     * about the bean that it makes.
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
            // The class, or another class that it mentions, is not on the class path.
            LOG.debug("The methods of bean '{}' are not known, so they are not looked at", bean, e);
            return Map.of();
        }
    }

    private LeaderGroup group(DynamoLeader annotation, String place) {
        String name = beans.resolveEmbeddedValue(annotation.value());
        if (name == null || name.isBlank() || name.contains("${")) {
            throw new InvalidDynamoLeaderException(
                    place,
                    "the name \"" + annotation.value() + "\" gives nothing.",
                    "Write a name, or set that property.");
        }
        return groups.computeIfAbsent(name, absent -> new LeaderGroup());
    }

    private Consumer<LeaderEvent> reactionOfBean(String bean, String place) {
        Object instance = singleton(bean, place);
        if (instance instanceof LeaderListener listener) {
            return LeaderReactions.callListener(listener);
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
                // Most of these beans are in the same phase as the elections. Because the elections depend on the bean,
                // Spring starts them after the bean and stops them before it.
                for (String elections : beans.getBeanNamesForType(DynamoLeaders.class, true, false)) {
                    beans.registerDependentBean(bean, elections);
                }
            }
            return LeaderReactions.runWhileLeading(lifecycle, timeout);
        }
        throw new InvalidDynamoLeaderException(
                place,
                "it is neither a Lifecycle nor a LeaderListener.",
                "Implement one of them, or annotate a method with a parameter of type LeaderEvent.");
    }

    private Consumer<LeaderEvent> reactionOfMethod(String bean, Method method, String place) {
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
        return LeaderReactions.callMethod(instance, invocable);
    }

    private Object singleton(String bean, String place) {
        if (!beans.isSingleton(bean)) {
            throw new InvalidDynamoLeaderException(
                    place, "the bean is no singleton.", "Annotate a singleton: one candidate leads.");
        }
        return beans.getBean(bean);
    }
}
