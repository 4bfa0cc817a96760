package io.dynamolock.spring.internal.declarations;

import io.dynamolock.LeaderElection;
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
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.util.ReflectionUtils;

/**
 * Reads the annotations of a method, with the annotation of its class as the default for attributes that are not set.
 */
final class LockedMethodReader {

    /** Namespaces of the locks that the library takes itself: a method in one would lock out a leader or a job. */
    private static final Set<String> RESERVED = Set.of(LeaderElection.NAMESPACE, "shedlock", "integration");

    private final ConfigurableBeanFactory beans;
    private final Supplier<Duration> defaultWait;

    LockedMethodReader(ConfigurableBeanFactory beans, Supplier<Duration> defaultWait) {
        this.beans = beans;
        this.defaultWait = defaultWait;
    }

    /**
     * Reads a method; empty if it is not locked.
     *
     * @param method declared or inherited by the class of the bean
     * @param isWoven whether calls reach the lock in woven code, not through a proxy
     * @throws InvalidDynamoLockedException if the annotations cannot work
     */
    Optional<LockedMethod> read(Method method, Class<?> targetClass, boolean isWoven) {
        String description = MethodNames.full(method, targetClass);
        List<MergedAnnotation<DynamoLocked>> ofMethod = nearest(method);
        List<MergedAnnotation<DynamoLocked>> ofClass = nearest(method.getDeclaringClass());
        if (!ofMethod.isEmpty() && ofClass.size() > 1) {
            throw new InvalidDynamoLockedException(
                    description,
                    "its class has several locks and the method one of its own, so it is open which of them it"
                            + " changes.",
                    "Annotate the methods, or leave one annotation on the class.");
        }
        List<MergedAnnotation<DynamoLocked>> defaults = ofMethod.isEmpty() ? List.of() : ofClass;
        List<AnnotationSettings> settings = (ofMethod.isEmpty() ? ofClass : ofMethod)
                .stream()
                        .map(annotation -> Stream.concat(Stream.of(annotation), defaults.stream()))
                        .map(nearestFirst -> new AnnotationSettings(nearestFirst.toList(), description, beans))
                        .toList();
        boolean isLockedByItsClass = isCandidate(method)
                && settings.stream().anyMatch(setting -> !setting.keys().isEmpty());
        if (ofMethod.isEmpty() && !isLockedByItsClass) {
            return Optional.empty();
        }
        MethodChecks.check(method, targetClass, description, isWoven, !ofMethod.isEmpty());
        List<LockDeclaration> declarations = settings.stream()
                .map(setting -> read(method, targetClass, setting))
                .toList();
        boolean isAsync = AnnotatedElementUtils.hasAnnotation(method, Async.class)
                || AnnotatedElementUtils.hasAnnotation(targetClass, Async.class);
        boolean isScheduled =
                MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).isPresent(Scheduled.class);
        return Optional.of(new LockedMethod(
                description, declarations, isAsync, isScheduled, MethodResult.of(method, targetClass)));
    }

    private LockDeclaration read(Method method, Class<?> targetClass, AnnotationSettings settings) {
        List<String> written = settings.keys();
        settings.refuseIf(written.isEmpty(), "it has no key.", "Write key = \"#parameter\".");
        MethodExpression condition = settings.ifSet("condition", String.class)
                .map(text -> MethodExpression.parse(settings.expression("condition", text), method, targetClass, beans))
                .orElse(null);
        List<MethodExpression> keys = written.stream()
                .map(text -> MethodExpression.parse(settings.expression("key", text), method, targetClass, beans))
                .toList();
        String namespace = settings.text("namespace").orElse(LockRequest.DEFAULT_NAMESPACE);
        settings.refuseIf(
                RESERVED.contains(namespace),
                "its namespace '" + namespace
                        + "' is that of elections, or of the locks of ShedLock or Spring Integration.",
                "Take another namespace.");
        Duration holdAtLeast = settings.duration("holdAtLeast").orElse(null);
        settings.refuseIf(LockRequest.FOREVER.equals(holdAtLeast), "holdAtLeast cannot be 'forever'.", "Leave it out.");
        LockDeclaration declaration = new LockDeclaration(
                method,
                settings.description(),
                keys,
                condition,
                namespace,
                settings.text("name").orElseGet(() -> MethodNames.brief(method, targetClass)),
                settings.duration("waitTime").orElseGet(defaultWait),
                settings.duration("maxHold")
                        .filter(maxHold -> !maxHold.equals(LockRequest.FOREVER))
                        .orElse(null),
                holdAtLeast,
                settings.mode(),
                settings.awaitRelease().orElse(null),
                settings.onTimeout(method, targetClass),
                settings.ifSet("onLost", OnLost.class).orElse(OnLost.THROW));
        try {
            // Builds a request only to have the settings checked.
            declaration.request("any");
        } catch (IllegalArgumentException e) {
            throw settings.invalid(String.valueOf(e.getMessage()), "Change the annotation.", e);
        }
        return declaration;
    }

    /**
     * The annotations of the element itself. If there are none, those of the nearest overridden method or superclass.
     */
    private static List<MergedAnnotation<DynamoLocked>> nearest(AnnotatedElement element) {
        List<MergedAnnotation<DynamoLocked>> found =
                MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY).stream(DynamoLocked.class)
                        .toList();
        return found.stream()
                .filter(annotation ->
                        annotation.getAggregateIndex() == found.get(0).getAggregateIndex())
                .toList();
    }

    /** Whether an annotation with a key on the class locks the method. */
    private static boolean isCandidate(Method method) {
        return Modifier.isPublic(method.getModifiers())
                && !Modifier.isStatic(method.getModifiers())
                && !ReflectionUtils.isObjectMethod(method);
    }
}
