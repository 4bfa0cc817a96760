package io.dynamolock.spring;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Set;
import org.springframework.core.KotlinDetector;
import org.springframework.core.Nullness;
import org.springframework.util.ClassUtils;

/** Refuses methods that would run without a lock, or go on after it. */
final class MethodChecks {

    /** By name, because they need not be there. */
    private static final Set<String> LIFECYCLE =
            Set.of("jakarta.annotation.PostConstruct", "jakarta.annotation.PreDestroy");

    private MethodChecks() {}

    /** @throws InvalidDynamoLockedException if the method cannot be locked */
    static void check(Method method, Class<?> targetClass, String description, boolean isWoven) {
        if (isWoven) {
            refuseWhatWovenCodeCannotDo(method, targetClass, description);
        } else {
            refuseWhatNoProxySees(method, description);
            refuseLifecycle(method, description);
        }
        refuseUnfinishedWork(method, targetClass, description);
    }

    /** @throws InvalidDynamoLockedException if the method promises a result where a skipped one has none */
    static void checkSkipped(Method method, Class<?> targetClass, String description) {
        MethodResult result = MethodResult.of(method, targetClass);
        Class<?> type = result.type();
        if (result.kind() == MethodResult.Kind.STREAM) {
            checkSkippedStream(type, description);
        } else if (result.kind() != MethodResult.Kind.FUTURE
                && type != void.class
                && !type.getName().equals("kotlin.Unit")
                && SkippedResult.of(type) == null
                && Nullness.forMethodReturnType(method) == Nullness.NON_NULL) {
            throw new InvalidDynamoLockedException(
                    description,
                    "onTimeout = SKIP returns null, but the result is declared as never null.",
                    "Let the method return a nullable " + type.getSimpleName() + ", an Optional or a collection.",
                    null);
        }
    }

    private static void checkSkippedStream(Class<?> type, String description) {
        if (!StreamTypes.mayBeEmpty(type)) {
            throw new InvalidDynamoLockedException(
                    description,
                    "onTimeout = SKIP ends without an element, but a " + type.getSimpleName() + " must have one.",
                    "Let the method return a type that may be empty, such as a Mono or a Maybe.",
                    null);
        }
    }

    /**
     * Not asked of a call in woven code, which has reached the lock: a class that extends a woven one, and a spy on it, need not be
     * woven.
     *
     * @throws InvalidDynamoLockedException if calls of a method of a bean would take no lock, or leave its transaction
     */
    static void checkWovenBean(Method method, LocksOfMethod locked) {
        String description = locked.description();
        if (!WovenClasses.hasAdviceAround(method)) {
            throw new InvalidDynamoLockedException(
                    description,
                    "AspectJ has not woven "
                            + ClassUtils.getShortName(method.getDeclaringClass())
                            + " with DynamoLockedAspect, so calls would take no lock.",
                    "Weave that class: by the plugin, or by the agent with a META-INF/aop.xml that includes it. Annotate the"
                            + " method or its class itself: what stands on an interface, on an overridden method or on an"
                            + " annotation of an annotation is not woven.",
                    null);
        }
        refuseFutureOfTransaction(method, locked.result().kind(), description);
    }

    private static void refuseWhatWovenCodeCannotDo(Method method, Class<?> targetClass, String description) {
        if (KotlinDetector.isSuspendingFunction(method)) {
            throw new InvalidDynamoLockedException(
                    description,
                    "it is a suspending function, and woven code knows nothing of those.",
                    "Use LockRegistry.acquireAsync.",
                    null);
        }
        if (MethodResult.of(method, targetClass).kind() == MethodResult.Kind.STREAM
                && HandleParameter.indexIn(method) >= 0) {
            throw new InvalidDynamoLockedException(
                    description,
                    "it returns a stream and has a parameter of type LockHandle, but in woven code all subscriptions have"
                            + " the same arguments.",
                    "Leave the parameter out, and use CurrentLock.of(context).",
                    null);
        }
    }

    /** A transaction of Spring's proxy lies outside, on the thread of the caller. */
    private static void refuseFutureOfTransaction(Method method, MethodResult.Kind kind, String description) {
        if (kind == MethodResult.Kind.FUTURE && SpringAround.isTransactional(method)) {
            throw new InvalidDynamoLockedException(
                    description,
                    "it is @Transactional and returns a future, but the transaction of Spring's proxy lies outside of a"
                            + " woven lock: the method runs on another thread when the lock is granted, and not in it.",
                    "Open the transaction in the method, by a TransactionTemplate.",
                    null);
        }
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

    private static void refuseLifecycle(Method method, String description) {
        Arrays.stream(method.getAnnotations())
                .map(Annotation::annotationType)
                .filter(type -> LIFECYCLE.contains(type.getName()))
                .findFirst()
                .ifPresent(type -> {
                    throw new InvalidDynamoLockedException(
                            description,
                            "Spring calls a @" + type.getSimpleName()
                                    + " method on the object itself, not on its proxy, so it would take no lock.",
                            "Lock a method of another bean and call that, or use the LockRegistry.",
                            null);
                });
    }

    private static void refuseUnfinishedWork(Method method, Class<?> targetClass, String description) {
        UnfinishedWork.promisedBy(method, targetClass).ifPresent(reason -> {
            throw new InvalidDynamoLockedException(
                    description,
                    reason + " The lock would be released before the work ends.",
                    "Lock a method that returns when its work is done, or use LockRegistry.acquireAsync.",
                    null);
        });
    }
}
