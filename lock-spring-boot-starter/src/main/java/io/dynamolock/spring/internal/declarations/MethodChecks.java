package io.dynamolock.spring.internal.declarations;

import io.dynamolock.spring.annotation.InvalidDynamoLockedException;
import io.dynamolock.spring.internal.Libraries;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.core.KotlinDetector;
import org.springframework.util.ClassUtils;

/** Refuses methods whose calls would take no lock, or whose work would go on after the release of the lock. */
final class MethodChecks {

    private static final int SEEN_BY_NO_PROXY = Modifier.PRIVATE | Modifier.STATIC | Modifier.FINAL;

    /**
     * Annotations of methods that Spring calls on the object itself. By name, because these annotations are optional.
     */
    private static final Set<String> LIFECYCLE =
            Set.of("jakarta.annotation.PostConstruct", "jakarta.annotation.PreDestroy");

    private MethodChecks() {}

    /** @throws InvalidDynamoLockedException if the method cannot be locked */
    static void check(Method method, Class<?> targetClass, String description, boolean isWoven, boolean isAnnotated) {
        if (!isWoven) {
            refuseWhatNoProxySees(method, targetClass, description, isAnnotated);
        } else if (KotlinDetector.isSuspendingFunction(method)) {
            throw new InvalidDynamoLockedException(
                    description,
                    "it is a suspending function, and woven code knows nothing of those.",
                    "Use LockRegistry.acquireAsync.");
        }
        UnfinishedWork.reasonToRefuse(method, targetClass).ifPresent(reason -> {
            throw new InvalidDynamoLockedException(
                    description,
                    reason + " The lock would be released before the work ends.",
                    "Lock a method that returns when its work is done, or use LockRegistry.acquireAsync.");
        });
    }

    private static void refuseWhatNoProxySees(
            Method method, Class<?> targetClass, String description, boolean isAnnotated) {
        String hidden = Modifier.toString(method.getModifiers() & SEEN_BY_NO_PROXY);
        if (hidden.isEmpty()
                && (method.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) == 0
                && !method.getDeclaringClass().getPackageName().equals(targetClass.getPackageName())) {
            hidden = "package-private in a superclass of another package";
        }
        if (!hidden.isEmpty()) {
            throw new InvalidDynamoLockedException(
                    description,
                    "the method is " + hidden + ", so calls do not pass the proxy and would take no lock.",
                    "Make it overridable, or remove the annotation.");
        }
        boolean isLifecycle = Arrays.stream(method.getAnnotations())
                .anyMatch(annotation ->
                        LIFECYCLE.contains(annotation.annotationType().getName()));
        // If only the class is annotated, the callbacks of Spring are not meant.
        boolean isOfInterface = isAnnotated
                && Stream.of(InitializingBean.class, DisposableBean.class)
                        .anyMatch(type -> type.isAssignableFrom(targetClass)
                                && ClassUtils.hasMethod(type, method.getName(), method.getParameterTypes()));
        if (isLifecycle || isOfInterface) {
            throw new InvalidDynamoLockedException(
                    description,
                    "Spring calls a lifecycle method on the object itself, not on its proxy, so it would take no lock.",
                    "Lock a method of another bean and call that, or use the LockRegistry.");
        }
    }

    /**
     * @throws InvalidDynamoLockedException if the method must return something, but its type has no empty value for a
     *     skipped call
     */
    static void checkSkipped(Method method, Class<?> targetClass, String description) {
        MethodResult result = MethodResult.of(method, targetClass);
        Class<?> type = result.type();
        boolean needsValue = switch (result.kind()) {
            case FUTURE -> false;
            case STREAM -> !StreamTypes.mayBeEmpty(type);
            case PLAIN, SUSPENDED ->
                type != void.class
                        && !type.getName().equals("kotlin.Unit")
                        && SkippedResult.of(type) == null
                        && NonNullResults.includes(method);
        };
        if (needsValue) {
            throw new InvalidDynamoLockedException(
                    description,
                    "onTimeout = SKIP gives nothing, but the method must give a " + type.getSimpleName() + ".",
                    "Let it return what may be null or empty, such as an Optional, a collection or a Mono.");
        }
    }

    /**
     * Checks the class of a bean, not a call: every call in woven code reaches the lock, even on a subclass or a spy
     * that is not woven itself.
     *
     * @throws InvalidDynamoLockedException if calls would take no lock, or would run outside of the method's
     *     transaction
     */
    static void checkWovenBean(Method method, LockedMethod locked) {
        if (!isWoven(method)) {
            throw new InvalidDynamoLockedException(
                    locked.description(),
                    "AspectJ has not woven "
                            + ClassUtils.getShortName(method.getDeclaringClass())
                            + " with DynamoLockedAspect, so calls would take no lock.",
                    "Weave that class: by the plugin, or by the agent with a META-INF/aop.xml that includes it. Annotate the"
                            + " method or its class itself: what stands on an interface, on an overridden method or on an"
                            + " annotation of an annotation is not woven.");
        }
        // The transaction of Spring's proxy is on the caller's thread, outside of the woven lock.
        if (locked.result().kind() == MethodResult.Kind.FUTURE
                && Libraries.TRANSACTIONS
                && ProxyTransactions.isTransactional(method)) {
            throw new InvalidDynamoLockedException(
                    locked.description(),
                    "it is @Transactional and returns a future, but the transaction of Spring's proxy lies outside of a"
                            + " woven lock: the method runs on another thread when the lock is granted, and not in it.",
                    "Open the transaction in the method, by a TransactionTemplate.");
        }
    }

    /**
     * Whether AspectJ has woven the method, with whatever aspect: AspectJ then has moved the method's body into another
     * method. The class file does not tell with which aspect.
     */
    private static boolean isWoven(Method method) {
        return Arrays.stream(method.getDeclaringClass().getDeclaredMethods())
                .anyMatch(
                        moved -> moved.getName().startsWith(method.getName() + "_aroundBody") && takes(moved, method));
    }

    /**
     * Whether the moved body has the parameters of this method: first the object, unless the method is static, then the
     * method's arguments, then parameters of AspectJ.
     */
    private static boolean takes(Method moved, Method method) {
        Class<?>[] movedTypes = moved.getParameterTypes();
        Class<?>[] types = method.getParameterTypes();
        int first = Modifier.isStatic(method.getModifiers()) ? 0 : 1;
        return movedTypes.length >= first + types.length
                && Arrays.equals(movedTypes, first, first + types.length, types, 0, types.length);
    }
}
