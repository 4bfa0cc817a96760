package io.dynamolock.spring.internal.declarations;

import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.InvalidDynamoLockedException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.BridgeMethodResolver;
import org.springframework.core.MethodClassKey;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ConcurrentReferenceHashMap;

/**
 * The locked methods of all beans and woven classes. Each method is read once, as a rule, before its first call.
 * Bounded by the number of the application's methods. Thread-safe.
 */
public final class LockedMethods {

    private static final Logger LOG = LoggerFactory.getLogger(LockedMethods.class);

    private final LockedMethodReader reader;

    /**
     * For each class that was looked at, its locked methods; most classes have none. Softly referenced, because
     * generated classes may live for a short time only. A class that was dropped is read again.
     */
    private final Map<Class<?>, Map<Method, LockedMethod>> classes = new ConcurrentReferenceHashMap<>();

    /** The names of the locks of all methods read so far. Names are added and never removed. */
    private final Set<String> names = ConcurrentHashMap.newKeySet();
    /**
     * What {@link #find} has found, for each called method; empty for a method that is not locked. Filled for proxied
     * classes with a locked method, and for woven classes. These classes are held strongly: every call looks here, and
     * they live as long as their beans, as a rule.
     */
    private final Map<MethodClassKey, Optional<LockedMethod>> byCalledMethod = new ConcurrentHashMap<>();

    /** Whether calls reach the lock in woven code. Set before the first class is read, never cleared. */
    private volatile boolean areWoven;

    /**
     * @param beans resolves placeholders in the annotations and beans in the keys
     * @param defaultWait the wait of methods without a {@link DynamoLocked#waitTime()} of their own
     */
    public LockedMethods(ConfigurableBeanFactory beans, Supplier<Duration> defaultWait) {
        this.reader = new LockedMethodReader(beans, defaultWait);
    }

    /**
     * From now on, expects the methods to be woven, so that their calls need no proxy. To be called before the first
     * class is read.
     */
    public void expectWoven() {
        areWoven = true;
    }

    public boolean areWoven() {
        return areWoven;
    }

    /**
     * Whether the class has a locked method. Reads all methods of the class, so that a mistake in any annotation is
     * found now.
     *
     * @throws InvalidDynamoLockedException if an annotation cannot work
     */
    public boolean existIn(Class<?> beanClass) {
        return !of(ClassUtils.getUserClass(beanClass)).isEmpty();
    }

    /** The names of the locks of all methods read so far. */
    public Set<String> names() {
        return Set.copyOf(names);
    }

    /**
     * The locked method that a call means; null if it is not locked.
     *
     * @param method the called method, perhaps of an interface; in woven code the method that runs, even if a subclass
     *     overrides it
     */
    public @Nullable LockedMethod find(Method method, Class<?> beanClass) {
        Class<?> userClass = ClassUtils.getUserClass(beanClass);
        return byCalledMethod
                .computeIfAbsent(
                        new MethodClassKey(method, userClass),
                        key -> areWoven
                                ? read(method, userClass)
                                : Optional.ofNullable(of(userClass).get(mostSpecific(method, userClass))))
                .orElse(null);
    }

    /** A bean that is itself a JDK proxy, such as a repository, has annotations on its interfaces only. */
    private static Method mostSpecific(Method method, Class<?> userClass) {
        return Proxy.isProxyClass(userClass)
                ? ClassUtils.getInterfaceMethodIfPossible(method, userClass)
                : AopUtils.getMostSpecificMethod(method, userClass);
    }

    private Map<Method, LockedMethod> of(Class<?> userClass) {
        Map<Method, LockedMethod> known = classes.get(userClass);
        if (known == null && AnnotationUtils.isCandidateClass(userClass, DynamoLocked.class)) {
            known = MethodIntrospector.selectMethods(
                    userClass, (Method method) -> read(method, userClass).orElse(null));
            if (areWoven) {
                known.forEach(MethodChecks::checkWovenBean);
            }
            if (classes.put(userClass, known) == null && !known.isEmpty() && !areWoven) {
                warnOfSelfCalls(userClass, known.keySet());
            }
        }
        return known == null ? Map.of() : known;
    }

    private static void warnOfSelfCalls(Class<?> userClass, Set<Method> locked) {
        Set<String> callers = SelfCalls.in(userClass, locked);
        if (!callers.isEmpty()) {
            LOG.warn(
                    "{} calls its own @DynamoLocked methods in {}: such a call passes no proxy and takes no lock. Move"
                            + " the locked methods to another bean, or call them through a field or parameter of this"
                            + " type that is injected with @Lazy, which holds the proxy.",
                    userClass.getSimpleName(),
                    String.join(", ", callers));
        }
    }

    private Optional<LockedMethod> read(Method method, Class<?> userClass) {
        Class<?> targetClass = Proxy.isProxyClass(userClass) ? method.getDeclaringClass() : userClass;
        // A bridge method has erased types, with which keys could not be checked.
        Optional<LockedMethod> read =
                reader.read(BridgeMethodResolver.findBridgedMethod(method), targetClass, areWoven);
        read.ifPresent(locked -> locked.declarations().forEach(declaration -> names.add(declaration.name())));
        return read;
    }
}
