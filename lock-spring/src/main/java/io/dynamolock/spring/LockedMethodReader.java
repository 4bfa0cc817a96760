package io.dynamolock.spring;

import io.dynamolock.LockRequest;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.framework.ProxyConfig;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ReflectionUtils;

/** Reads the annotation of a method, and that of its class for what the method leaves out. */
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
     * @throws InvalidDynamoLockedException if the annotations cannot work
     */
    Optional<LockedMethod> read(Method method, Class<?> targetClass) {
        String description = MethodNames.full(method, targetClass);
        MergedAnnotation<DynamoLocked> own =
                find(MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY), description, "method");
        MergedAnnotation<DynamoLocked> ofClass = find(
                MergedAnnotations.from(method.getDeclaringClass(), SearchStrategy.TYPE_HIERARCHY),
                description,
                "class");
        Settings settings = new Settings(own, ofClass, description);
        if (!own.isPresent() && !(settings.text("key").isPresent() && isLockedByItsClass(method))) {
            return Optional.empty();
        }
        MethodChecks.check(method, targetClass, description);
        return Optional.of(read(method, targetClass, settings));
    }

    private LockedMethod read(Method method, Class<?> targetClass, Settings settings) {
        String expression = settings.resolved("key")
                .orElseThrow(() -> settings.invalid("it has no key.", "Write key = \"#parameter\".", null));
        Duration waitTime = settings.duration("waitTime", any -> true).orElseGet(defaultWait);
        Duration maxHold =
                settings.duration("maxHold", duration -> !duration.isZero()).orElse(LockRequest.FOREVER);
        Duration holdAtLeast = settings.duration("holdAtLeast", duration -> !duration.equals(LockRequest.FOREVER))
                .orElse(Duration.ZERO);
        if (holdAtLeast.compareTo(maxHold) > 0) {
            throw settings.invalid("holdAtLeast is longer than maxHold.", "Make it shorter.", null);
        }
        OnTimeout onTimeout = settings.choice("onTimeout", OnTimeout.class, OnTimeout.DEFAULT, OnTimeout.THROW);
        if (onTimeout == OnTimeout.SKIP) {
            MethodChecks.checkSkipped(method, settings.description);
        }
        LockedMethod locked = new LockedMethod(
                method,
                settings.description,
                KeyExpression.parse(expression, method, settings.description, beans),
                settings.resolved("namespace").orElse(LockRequest.DEFAULT_NAMESPACE),
                settings.resolved("name").orElseGet(() -> MethodNames.brief(method, targetClass)),
                waitTime,
                maxHold.equals(LockRequest.FOREVER) ? null : maxHold,
                holdAtLeast.isZero() ? null : holdAtLeast,
                settings.choice("mode", Mode.class, Mode.DEFAULT, Mode.EXCLUSIVE),
                onTimeout,
                settings.choice("onLost", OnLost.class, OnLost.DEFAULT, OnLost.THROW),
                UnfinishedWork.mayHideIn(method, targetClass));
        try {
            locked.request("any");
        } catch (IllegalArgumentException e) {
            throw settings.invalid(String.valueOf(e.getMessage()), "Change the annotation.", e);
        }
        return locked;
    }

    /** Without our word, the proxy creator throws a stack trace that does not name the annotation. */
    void refuseFinalClass(LockedMethod locked) {
        if (beans.containsBean(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME)
                && beans.getBean(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME) instanceof ProxyConfig creator
                && creator.isProxyTargetClass()) {
            throw new InvalidDynamoLockedException(
                    locked.description(),
                    "its class is final, so that it cannot have a proxy, and calls would take no lock.",
                    "Take the final away, or call it by an interface and set spring.aop.proxy-target-class=false.",
                    null);
        }
    }

    /** The nearest one. */
    private static MergedAnnotation<DynamoLocked> find(
            MergedAnnotations annotations, String description, String where) {
        MergedAnnotation<DynamoLocked> nearest = annotations.get(DynamoLocked.class);
        List<String> beside = annotations.stream(DynamoLocked.class)
                .filter(each -> each.getAggregateIndex() == nearest.getAggregateIndex())
                .map(each -> "@" + each.getRoot().getType().getSimpleName())
                .toList();
        if (beside.size() > 1) {
            throw new InvalidDynamoLockedException(
                    description,
                    "the " + where + " has several locks, " + String.join(" and ", beside)
                            + ", of which only one would be taken.",
                    "Leave one of them, and take the other lock in another method or by the LockRegistry.",
                    null);
        }
        return nearest;
    }

    private static boolean isLockedByItsClass(Method method) {
        return Modifier.isPublic(method.getModifiers())
                && !Modifier.isStatic(method.getModifiers())
                && !ReflectionUtils.isObjectMethod(method);
    }

    /** The attributes of the two annotations. */
    private final class Settings {

        private final MergedAnnotation<DynamoLocked> own;
        private final MergedAnnotation<DynamoLocked> ofClass;
        private final String description;

        Settings(MergedAnnotation<DynamoLocked> own, MergedAnnotation<DynamoLocked> ofClass, String description) {
            this.own = own;
            this.ofClass = ofClass;
            this.description = description;
        }

        Optional<String> text(String attribute) {
            return own.getValue(attribute, String.class)
                    .filter(Predicate.not(String::isBlank))
                    .or(() -> ofClass.getValue(attribute, String.class).filter(Predicate.not(String::isBlank)));
        }

        Optional<String> resolved(String attribute) {
            return text(attribute).map(text -> {
                String value;
                try {
                    value = placeholders.apply(text);
                } catch (IllegalArgumentException e) {
                    throw invalid(attribute + " = \"" + text + "\": " + e.getMessage() + ".", "Set that property.", e);
                }
                if (value.isBlank() || value.contains("${")) {
                    throw invalid(attribute + " = \"" + text + "\" gives nothing.", "Set that property.", null);
                }
                return value;
            });
        }

        Optional<Duration> duration(String attribute, Predicate<Duration> allowed) {
            return resolved(attribute).map(text -> {
                Duration duration;
                try {
                    duration = LockDurations.parse(text);
                } catch (IllegalArgumentException e) {
                    throw invalid(attribute + " = " + e.getMessage() + ".", "Change " + attribute + ".", e);
                }
                if (!allowed.test(duration)) {
                    throw invalid(attribute + " cannot be '" + text + "'.", "Leave it out.", null);
                }
                return duration;
            });
        }

        <E extends Enum<E>> E choice(String attribute, Class<E> type, E unset, E fallback) {
            return own.getValue(attribute, type)
                    .filter(value -> value != unset)
                    .or(() -> ofClass.getValue(attribute, type).filter(value -> value != unset))
                    .orElse(fallback);
        }

        InvalidDynamoLockedException invalid(String problem, String remedy, @Nullable Throwable cause) {
            return new InvalidDynamoLockedException(description, problem, remedy, cause);
        }
    }
}
