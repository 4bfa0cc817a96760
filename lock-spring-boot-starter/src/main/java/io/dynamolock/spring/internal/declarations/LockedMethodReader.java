package io.dynamolock.spring.internal.declarations;

import io.dynamolock.LockRequest;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.InvalidDynamoLockedException;
import io.dynamolock.spring.annotation.OnLost;
import io.dynamolock.spring.internal.MethodNames;
import io.dynamolock.spring.internal.keys.MethodExpression;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.ReflectionUtils;

/** Reads the annotations of a method, and that of its class for what the method leaves out. */
final class LockedMethodReader {

    private final ConfigurableBeanFactory beans;
    private final Supplier<Duration> defaultWait;

    LockedMethodReader(ConfigurableBeanFactory beans, Supplier<Duration> defaultWait) {
        this.beans = beans;
        this.defaultWait = defaultWait;
    }

    /**
     * What the annotations say of the method, or empty if it is not locked.
     *
     * @param method as the class of the bean declares or inherits it
     * @param isWoven whether its calls reach the lock in woven code, and not by a proxy
     * @throws InvalidDynamoLockedException if the annotations cannot work
     */
    Optional<LockedMethod> read(Method method, Class<?> targetClass, boolean isWoven) {
        String description = MethodNames.full(method, targetClass);
        List<MergedAnnotation<DynamoLocked>> own = nearest(method);
        List<MergedAnnotation<DynamoLocked>> ofClass = nearest(method.getDeclaringClass());
        if (!own.isEmpty() && ofClass.size() > 1) {
            throw new InvalidDynamoLockedException(
                    description,
                    "its class has several locks and the method one of its own, so it is open which of them it"
                            + " changes.",
                    "Annotate the methods, or leave one annotation on the class.");
        }
        List<MergedAnnotation<DynamoLocked>> defaults = own.isEmpty() ? List.of() : ofClass;
        List<AnnotationSettings> settings = (own.isEmpty() ? ofClass : own)
                .stream()
                        .map(each -> Stream.concat(Stream.of(each), defaults.stream()))
                        .map(nearestFirst -> new AnnotationSettings(nearestFirst.toList(), description, beans))
                        .toList();
        boolean isLockedByItsClass = isCandidate(method)
                && settings.stream().anyMatch(each -> !each.keys().isEmpty());
        if (own.isEmpty() && !isLockedByItsClass) {
            return Optional.empty();
        }
        MethodChecks.check(method, targetClass, description, isWoven, !own.isEmpty());
        List<LockDeclaration> locks =
                settings.stream().map(each -> read(method, targetClass, each)).toList();
        boolean isAsync = AnnotatedElementUtils.hasAnnotation(method, Async.class)
                || AnnotatedElementUtils.hasAnnotation(targetClass, Async.class);
        return Optional.of(new LockedMethod(description, locks, isAsync, MethodResult.of(method, targetClass)));
    }

    private LockDeclaration read(Method method, Class<?> targetClass, AnnotationSettings settings) {
        List<String> written = settings.keys();
        settings.refuseIf(written.isEmpty(), "it has no key.", "Write key = \"#parameter\".");
        MethodExpression condition = settings.said("condition", String.class)
                .map(text -> MethodExpression.parse(settings.expression("condition", text), method, targetClass, beans))
                .orElse(null);
        List<MethodExpression> keys = written.stream()
                .map(text -> MethodExpression.parse(settings.expression("key", text), method, targetClass, beans))
                .toList();
        Duration holdAtLeast = settings.duration("holdAtLeast").orElse(null);
        settings.refuseIf(LockRequest.FOREVER.equals(holdAtLeast), "holdAtLeast cannot be 'forever'.", "Leave it out.");
        LockDeclaration locked = new LockDeclaration(
                method,
                settings.description(),
                keys,
                condition,
                settings.text("namespace").orElse(LockRequest.DEFAULT_NAMESPACE),
                settings.text("name").orElseGet(() -> MethodNames.brief(method, targetClass)),
                settings.duration("waitTime").orElseGet(defaultWait),
                settings.duration("maxHold")
                        .filter(most -> !most.equals(LockRequest.FOREVER))
                        .orElse(null),
                holdAtLeast,
                settings.mode(),
                settings.whenOver(method, targetClass),
                settings.said("onLost", OnLost.class).orElse(OnLost.THROW));
        try {
            locked.request("any");
        } catch (IllegalArgumentException e) {
            throw settings.invalid(String.valueOf(e.getMessage()), "Change the annotation.", e);
        }
        return locked;
    }

    /** Those that stand nearest: of the method itself, before those of what it overrides. */
    private static List<MergedAnnotation<DynamoLocked>> nearest(AnnotatedElement element) {
        List<MergedAnnotation<DynamoLocked>> all =
                MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY).stream(DynamoLocked.class)
                        .toList();
        return all.stream()
                .filter(each -> each.getAggregateIndex() == all.get(0).getAggregateIndex())
                .toList();
    }

    /** An annotation of the class that has a key locks such methods. */
    private static boolean isCandidate(Method method) {
        return Modifier.isPublic(method.getModifiers())
                && !Modifier.isStatic(method.getModifiers())
                && !ReflectionUtils.isObjectMethod(method);
    }
}
