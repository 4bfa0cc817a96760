package io.dynamolock.spring;

import io.dynamolock.LeaderElection;
import io.dynamolock.LeaderListener;
import io.dynamolock.LockRequest;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Finds all that is annotated with {@link DynamoLeader} among the beans of one application context. */
final class LeaderBeans {

    private static final Logger LOG = LoggerFactory.getLogger(LeaderBeans.class);

    private final ConfigurableListableBeanFactory beans;
    private final Map<String, List<LeaderListener>> found = new LinkedHashMap<>();

    private LeaderBeans(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /**
     * The listeners of each name.
     *
     * @throws InvalidDynamoLeaderException if an annotation cannot work
     */
    static Map<String, LeaderListener> in(ConfigurableListableBeanFactory beans) {
        LeaderBeans leaders = new LeaderBeans(beans);
        for (String bean : beans.getBeanNamesForType(Object.class, true, false)) {
            if (!ScopedProxyUtils.isScopedTarget(bean)) {
                leaders.look(bean);
            }
        }
        Map<String, LeaderListener> groups = new LinkedHashMap<>();
        leaders.found.forEach((name, members) -> groups.put(name, new LeaderGroup(members)));
        return groups;
    }

    private void look(String bean) {
        Class<?> type = type(bean);
        if (type == null) {
            return;
        }
        DynamoLeader onBean = beans.findAnnotationOnBean(bean, DynamoLeader.class, false);
        if (onBean != null) {
            String place = "bean '" + bean + "' (" + ClassUtils.getShortName(type) + ")";
            add(onBean, place, listener(bean, place));
        }
        methods(type).forEach((method, annotation) -> {
            String place = MethodNames.full(method, type) + " of bean '" + bean + "'";
            add(annotation, place, listener(bean, method, place));
        });
    }

    private @Nullable Class<?> type(String bean) {
        try {
            return AutoProxyUtils.determineTargetClass(beans, bean);
        } catch (RuntimeException | LinkageError e) {
            LOG.debug("The class of bean '{}' is not known, so it is not looked at", bean, e);
            return null;
        }
    }

    /** Those that make a bean are about that bean. */
    private static Map<Method, DynamoLeader> methods(Class<?> type) {
        if (!AnnotationUtils.isCandidateClass(type, DynamoLeader.class)) {
            return Map.of();
        }
        try {
            Map<Method, DynamoLeader> methods = new LinkedHashMap<>();
            for (Method method : MethodIntrospector.selectMethods(type, LeaderBeans::isForLeaders)) {
                DynamoLeader annotation = AnnotatedElementUtils.findMergedAnnotation(method, DynamoLeader.class);
                methods.put(method, Objects.requireNonNull(annotation));
            }
            return methods;
        } catch (RuntimeException | LinkageError e) {
            // Of a class that mentions another that is not there.
            LOG.debug("The methods of {} are not known, so they are not looked at", type, e);
            return Map.of();
        }
    }

    private static boolean isForLeaders(Method method) {
        return AnnotatedElementUtils.hasAnnotation(method, DynamoLeader.class)
                && !AnnotatedElementUtils.hasAnnotation(method, Bean.class);
    }

    private void add(DynamoLeader annotation, String place, LeaderListener listener) {
        found.computeIfAbsent(name(annotation.value(), place), absent -> new ArrayList<>())
                .add(listener);
    }

    private String name(String text, String place) {
        try {
            String name = beans.resolveEmbeddedValue(text);
            if (name == null || name.isBlank() || name.contains("${")) {
                throw new InvalidDynamoLeaderException(
                        place, "the name \"" + text + "\" gives nothing.", "Write a name, or set that property.", null);
            }
            return LockRequest.of(name).namespace(LeaderElection.NAMESPACE).key();
        } catch (IllegalArgumentException e) {
            throw new InvalidDynamoLeaderException(
                    place, "the name \"" + text + "\" cannot be used: " + e.getMessage(), "Change the name.", e);
        }
    }

    private LeaderListener listener(String bean, String place) {
        Object instance = singleton(bean, place);
        if (instance instanceof LeaderListener listener) {
            return listener;
        }
        if (instance instanceof SmartLifecycle smart && smart.isAutoStartup()) {
            throw new InvalidDynamoLeaderException(
                    place,
                    "it starts by itself on every instance, because isAutoStartup() returns true.",
                    "Let isAutoStartup() return false.",
                    null);
        }
        if (instance instanceof Lifecycle lifecycle) {
            return new LeaderLifecycle(lifecycle);
        }
        throw new InvalidDynamoLeaderException(
                place,
                "it is neither a Lifecycle nor a LeaderListener.",
                "Implement one of them, or annotate a method with a parameter of type LeaderEvent.",
                null);
    }

    private LeaderListener listener(String bean, Method method, String place) {
        if (method.getParameterCount() != 1 || !LeaderEvent.class.isAssignableFrom(method.getParameterTypes()[0])) {
            throw new InvalidDynamoLeaderException(
                    place,
                    "it does not take a LeaderEvent.",
                    "Give it one parameter: " + method.getName() + "(LeaderEvent event).",
                    null);
        }
        Object instance = singleton(bean, place);
        // What a proxy cannot pass on would run on the proxy, which has no state.
        int barred = Modifier.PRIVATE | Modifier.STATIC | (AopUtils.isAopProxy(instance) ? Modifier.FINAL : 0);
        if ((method.getModifiers() & barred) != 0) {
            throw new InvalidDynamoLeaderException(
                    place,
                    "it is " + Modifier.toString(method.getModifiers() & barred) + ".",
                    "Make it overridable.",
                    null);
        }
        try {
            Method invocable = AopUtils.selectInvocableMethod(method, instance.getClass());
            ReflectionUtils.makeAccessible(invocable);
            return new LeaderMethod(instance, invocable);
        } catch (IllegalStateException e) {
            throw new InvalidDynamoLeaderException(
                    place,
                    "the bean is a proxy that does not have it.",
                    "Add it to an interface of the bean, or proxy its class (spring.aop.proxy-target-class=true).",
                    e);
        }
    }

    private Object singleton(String bean, String place) {
        if (!beans.isSingleton(bean)) {
            throw new InvalidDynamoLeaderException(
                    place, "the bean is no singleton.", "Annotate a singleton: one candidate leads.", null);
        }
        return beans.getBean(bean);
    }
}
