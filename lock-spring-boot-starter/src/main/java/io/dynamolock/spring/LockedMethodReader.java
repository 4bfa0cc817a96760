package io.dynamolock.spring;

import io.dynamolock.LockRequest;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
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
        MergedAnnotation<DynamoLocked> own = find(MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY));
        MergedAnnotation<DynamoLocked> ofClass =
                find(MergedAnnotations.from(method.getDeclaringClass(), SearchStrategy.TYPE_HIERARCHY));
        Settings settings = new Settings(own, ofClass, MethodNames.full(method, targetClass));
        if (!own.isPresent() && !(settings.text("key").isPresent() && isLockedByItsClass(method))) {
            return Optional.empty();
        }
        refuseWhatNoProxySees(method, settings.description);
        refuseUnfinishedWork(method, settings.description);
        return Optional.of(read(method, targetClass, settings));
    }

    private LockedMethod read(Method method, Class<?> targetClass, Settings settings) {
        String expression = settings.text("key")
                .orElseThrow(() -> settings.invalid("it has no key.", "Write key = \"#parameter\".", null));
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
                settings.description,
                KeyExpression.parse(expression, method, settings.description, beans),
                settings.resolved("namespace").orElse(LockRequest.DEFAULT_NAMESPACE),
                settings.resolved("name").orElseGet(() -> MethodNames.brief(method, targetClass)),
                waitTime,
                maxHold.equals(LockRequest.FOREVER) ? null : maxHold,
                holdAtLeast.isZero() ? null : holdAtLeast,
                settings.choice("mode", Mode.class, Mode.DEFAULT, Mode.EXCLUSIVE),
                settings.choice("onTimeout", OnTimeout.class, OnTimeout.DEFAULT, OnTimeout.THROW),
                settings.choice("onLost", OnLost.class, OnLost.DEFAULT, OnLost.THROW));
        try {
            locked.request("any");
        } catch (IllegalArgumentException e) {
            throw settings.invalid(String.valueOf(e.getMessage()), "Change the annotation.", e);
        }
        return locked;
    }

    private static MergedAnnotation<DynamoLocked> find(MergedAnnotations annotations) {
        return annotations.get(DynamoLocked.class);
    }

    private static boolean isLockedByItsClass(Method method) {
        return Modifier.isPublic(method.getModifiers())
                && !Modifier.isStatic(method.getModifiers())
                && !ReflectionUtils.isObjectMethod(method);
    }

    private static void refuseWhatNoProxySees(Method method, String description) {
        int modifiers = method.getModifiers();
        if (Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers) || Modifier.isFinal(modifiers)) {
            String modifier = Modifier.toString(modifiers & (Modifier.PRIVATE | Modifier.STATIC | Modifier.FINAL));
            throw new InvalidDynamoLockedException(
                    description,
                    "the method is " + modifier + ", so calls do not pass the proxy and would take no lock.",
                    "Make it overridable, or remove the annotation.",
                    null);
        }
    }

    private static void refuseUnfinishedWork(Method method, String description) {
        UnfinishedWork.promisedBy(method).ifPresent(reason -> {
            throw new InvalidDynamoLockedException(
                    description,
                    reason + " The lock would be released before the work ends.",
                    "Lock a method that returns when its work is done, or use LockRegistry.acquireAsync.",
                    null);
        });
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
