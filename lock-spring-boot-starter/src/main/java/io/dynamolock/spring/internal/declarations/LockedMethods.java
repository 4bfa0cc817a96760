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
 * The locked methods of all beans, each read before it is first called. Bounded by the number of methods of the application. Thread-safe.
 */
public final class LockedMethods {

    private static final Logger LOG = LoggerFactory.getLogger(LockedMethods.class);

    private final LockedMethodReader reader;

    /** With soft references, because most have no locks, and some may be made for a while only. */
    private final Map<Class<?>, Map<Method, LockedMethod>> classes = new ConcurrentReferenceHashMap<>();

    private final Set<String> names = ConcurrentHashMap.newKeySet();
    private final Map<MethodClassKey, Optional<LockedMethod>> calls = new ConcurrentHashMap<>();

    private volatile boolean areWoven;

    /**
     * @param beans resolves placeholders in the annotations and beans in the keys
     * @param defaultWait for methods that do not set {@link DynamoLocked#waitTime()}
     */
    public LockedMethods(ConfigurableBeanFactory beans, Supplier<Duration> defaultWait) {
        this.reader = new LockedMethodReader(beans, defaultWait);
    }

    /** Calls pass no proxy, and need none. */
    public void readAsWoven() {
        areWoven = true;
    }

    public boolean areWoven() {
        return areWoven;
    }

    /**
     * Whether the class has a locked method. All of them are read for that, so that a mistake in any comes to light
     * now.
     *
     * @throws InvalidDynamoLockedException if an annotation cannot work
     */
    public boolean existIn(Class<?> beanClass) {
        return !of(ClassUtils.getUserClass(beanClass)).isEmpty();
    }

    /** Of the methods that were read until now. */
    public Set<String> names() {
        return Set.copyOf(names);
    }

    /** @param method as it is called, perhaps an interface's; in woven code that which runs, perhaps one that is overridden */
    public @Nullable LockedMethod find(Method method, Class<?> beanClass) {
        Class<?> userClass = ClassUtils.getUserClass(beanClass);
        return calls.computeIfAbsent(
                        new MethodClassKey(method, userClass),
                        key -> areWoven
                                ? read(method, userClass)
                                : Optional.ofNullable(of(userClass).get(mostSpecific(method, userClass))))
                .orElse(null);
    }

    /** Of a bean that is a JDK proxy itself (a repository, say), only the interfaces tell anything. */
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
                            + " the locked methods to another bean, or call them through an injected one of this type.",
                    userClass.getSimpleName(),
                    String.join(", ", callers));
        }
    }

    private Optional<LockedMethod> read(Method method, Class<?> userClass) {
        Class<?> targetClass = Proxy.isProxyClass(userClass) ? method.getDeclaringClass() : userClass;
        // A bridge has the types that were erased.
        Optional<LockedMethod> read =
                reader.read(BridgeMethodResolver.findBridgedMethod(method), targetClass, areWoven);
        read.ifPresent(locked -> locked.locks().forEach(lock -> names.add(lock.name())));
        return read;
    }
}
