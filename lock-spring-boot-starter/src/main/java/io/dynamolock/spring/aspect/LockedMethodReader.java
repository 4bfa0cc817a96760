package io.dynamolock.spring.aspect;

import io.dynamolock.LockRequest;
import io.dynamolock.LockTimeoutException;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.InvalidDynamoLockedException;
import io.dynamolock.spring.annotation.OnTimeout;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.framework.ProxyConfig;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.ReflectionUtils;

/** Reads the annotations of a method, and that of its class for what the method leaves out. */
final class LockedMethodReader {

    private final BeanFactory beans;
    private final Function<String, String> placeholders;
    private final Supplier<Duration> defaultWait;

    LockedMethodReader(BeanFactory beans, Function<String, String> placeholders, Supplier<Duration> defaultWait) {
        this.beans = beans;
        this.placeholders = placeholders;
        this.defaultWait = defaultWait;
    }

    /**
     * What the annotations say of the method, or empty if it is not locked.
     *
     * @param method as the class of the bean declares or inherits it
     * @param isWoven whether its calls reach the lock in woven code, and not by a proxy
     * @throws InvalidDynamoLockedException if the annotations cannot work
     */
    Optional<LocksOfMethod> read(Method method, Class<?> targetClass, boolean isWoven) {
        String description = MethodNames.full(method, targetClass);
        List<MergedAnnotation<DynamoLocked>> own =
                nearest(MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY));
        List<MergedAnnotation<DynamoLocked>> ofClass =
                nearest(MergedAnnotations.from(method.getDeclaringClass(), SearchStrategy.TYPE_HIERARCHY));
        List<AnnotationSettings> settings = settings(own, ofClass, description);
        if (own.isEmpty() && !(settings.stream().anyMatch(AnnotationSettings::hasKeys) && isLockedByItsClass(method))) {
            return Optional.empty();
        }
        MethodChecks.check(method, targetClass, description, isWoven);
        List<LockedMethod> locks =
                settings.stream().map(each -> read(method, targetClass, each)).toList();
        return Optional.of(new LocksOfMethod(
                description, locks, isAsync(method, targetClass), MethodResult.of(method, targetClass)));
    }

    private List<AnnotationSettings> settings(
            List<MergedAnnotation<DynamoLocked>> own,
            List<MergedAnnotation<DynamoLocked>> ofClass,
            String description) {
        if (own.isEmpty()) {
            return ofClass.stream()
                    .map(each -> new AnnotationSettings(MergedAnnotation.missing(), each, placeholders, description))
                    .toList();
        }
        if (ofClass.size() > 1) {
            throw new InvalidDynamoLockedException(
                    description,
                    "its class has several locks, " + names(ofClass)
                            + ", and the method one of its own, so it is open which of them it changes.",
                    "Annotate the methods, or leave one annotation on the class.");
        }
        MergedAnnotation<DynamoLocked> defaults = ofClass.isEmpty() ? MergedAnnotation.missing() : ofClass.get(0);
        return own.stream()
                .map(each -> new AnnotationSettings(each, defaults, placeholders, description))
                .toList();
    }

    private LockedMethod read(Method method, Class<?> targetClass, AnnotationSettings settings) {
        String description = settings.description();
        MethodExpression condition = settings.condition()
                .map(text -> expression("condition", text, method, targetClass, settings))
                .orElse(null);
        List<MethodExpression> keys = settings.keys().stream()
                .map(key -> expression("key", key, method, targetClass, settings))
                .toList();
        Duration waitTime = settings.duration("waitTime", any -> true).orElseGet(defaultWait);
        Duration maxHold =
                settings.duration("maxHold", duration -> !duration.isZero()).orElse(LockRequest.FOREVER);
        Duration holdAtLeast = settings.duration("holdAtLeast", duration -> !duration.equals(LockRequest.FOREVER))
                .orElse(Duration.ZERO);
        if (holdAtLeast.compareTo(maxHold) > 0) {
            throw settings.invalid("holdAtLeast is longer than maxHold.", "Make it shorter.", null);
        }
        LockedMethod locked = new LockedMethod(
                method,
                description,
                keys,
                condition,
                settings.resolved("namespace").orElse(LockRequest.DEFAULT_NAMESPACE),
                settings.resolved("name").orElseGet(() -> MethodNames.brief(method, targetClass)),
                waitTime,
                maxHold.equals(LockRequest.FOREVER) ? null : maxHold,
                holdAtLeast.isZero() ? null : holdAtLeast,
                settings.mode(),
                whenOver(method, targetClass, settings),
                settings.onLost());
        try {
            locked.request("any");
        } catch (IllegalArgumentException e) {
            throw settings.invalid(String.valueOf(e.getMessage()), "Change the annotation.", e);
        }
        return locked;
    }

    private MethodExpression expression(
            String attribute, String text, Method method, Class<?> targetClass, AnnotationSettings settings) {
        return MethodExpression.parse(settings.expression(attribute, text), method, targetClass, beans);
    }

    private static WaitOver whenOver(Method method, Class<?> targetClass, AnnotationSettings settings) {
        AnnotationSettings.WhenOver over = settings.whenOver();
        if (over.onTimeout() == OnTimeout.SKIP) {
            MethodChecks.checkSkipped(method, targetClass, settings.description());
            return WaitOver.SKIP;
        }
        if (over.fallbackMethod() != null) {
            return Fallback.find(over.fallbackMethod(), method, targetClass, settings.description());
        }
        return over.exception() == LockTimeoutException.class
                ? WaitOver.THROW
                : OwnTimeoutException.of(over.exception(), settings.description());
    }

    /** Without our word, the proxy creator throws a stack trace that does not name the annotation. */
    void refuseFinalClass(LocksOfMethod locked) {
        if (beans.containsBean(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME)
                && beans.getBean(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME) instanceof ProxyConfig creator
                && creator.isProxyTargetClass()) {
            throw new InvalidDynamoLockedException(
                    locked.description(),
                    "its class is final, so that it cannot have a proxy, and calls would take no lock.",
                    "Take the final away, or call it by an interface and set spring.aop.proxy-target-class=false.");
        }
    }

    /** Those that stand nearest: of the method itself, before those of what it overrides. */
    private static List<MergedAnnotation<DynamoLocked>> nearest(MergedAnnotations annotations) {
        List<MergedAnnotation<DynamoLocked>> all =
                annotations.stream(DynamoLocked.class).toList();
        int nearest =
                all.stream().mapToInt(MergedAnnotation::getAggregateIndex).min().orElse(-1);
        return all.stream().filter(each -> each.getAggregateIndex() == nearest).toList();
    }

    private static String names(List<MergedAnnotation<DynamoLocked>> annotations) {
        return annotations.stream()
                .map(each -> "@" + each.getRoot().getType().getSimpleName())
                .collect(Collectors.joining(" and "));
    }

    private static boolean isAsync(Method method, Class<?> targetClass) {
        return AnnotatedElementUtils.hasAnnotation(method, Async.class)
                || AnnotatedElementUtils.hasAnnotation(targetClass, Async.class);
    }

    private static boolean isLockedByItsClass(Method method) {
        return Modifier.isPublic(method.getModifiers())
                && !Modifier.isStatic(method.getModifiers())
                && !ReflectionUtils.isObjectMethod(method);
    }
}
