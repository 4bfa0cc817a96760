package io.dynamolock.spring;

import io.dynamolock.LockRegistry;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.ClassFilter;
import org.springframework.aop.MethodMatcher;
import org.springframework.aop.Pointcut;
import org.springframework.aop.support.AbstractPointcutAdvisor;
import org.springframework.aop.support.ComposablePointcut;
import org.springframework.aop.support.StaticMethodMatcher;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.annotation.AdviceMode;
import org.springframework.core.Ordered;

/**
 * The aspect: finds the methods with {@link DynamoLocked} and runs them under their locks. Its bean is auto-configured;
 * a program without auto-configuration may declare it itself.
 */
public final class DynamoLockedAdvisor extends AbstractPointcutAdvisor implements DisposableBean {

    /** Outside of transactions, caches and retries, all of which Spring puts innermost, with room in between. */
    public static final int DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 10_000;

    private static final long serialVersionUID = 1L;

    private static final Logger LOG = LoggerFactory.getLogger(DynamoLockedAdvisor.class);

    private final transient LockedMethods methods;
    private final transient DynamoLockedInterceptor interceptor;
    private volatile boolean isForWovenCode;

    /**
     * @param beans resolves placeholders in the annotations and beans in the keys
     * @param registry asked at every call, not before
     * @param defaultWait for methods that do not set {@link DynamoLocked#waitTime()}; asked when a bean with such a
     *     method is created, not before
     */
    public DynamoLockedAdvisor(
            ConfigurableBeanFactory beans, Supplier<LockRegistry> registry, Supplier<Duration> defaultWait) {
        this.methods = new LockedMethods(new LockedMethodReader(beans, text -> resolve(beans, text), defaultWait));
        this.interceptor = new DynamoLockedInterceptor(methods, registry);
        setOrder(DEFAULT_ORDER);
    }

    /** When locks are released from now on; {@link ReleaseTime#TRANSACTION_END} if this is never called. */
    public void setRelease(ReleaseTime release) {
        interceptor.releaseAt(release);
    }

    /**
     * By what methods are locked; {@link AdviceMode#PROXY} if this is never called. With {@link AdviceMode#ASPECTJ} no bean gets a
     * proxy for it, and {@link WovenLocks} are those of this advisor until it is destroyed. A bean with a locked method that AspectJ
     * has not woven is refused when it is created. To be called before it is used.
     */
    public void setMode(AdviceMode mode) {
        if (mode == AdviceMode.ASPECTJ) {
            serveWovenCode();
            if (WovenLocks.add(this)) {
                LOG.warn(
                        "Another context, or WovenLocks.use(), has set where woven methods with @DynamoLocked take their locks"
                                + " from. From now on they take them from this context, until it is closed.");
            }
        }
    }

    void serveWovenCode() {
        isForWovenCode = true;
        methods.readAsWoven();
    }

    /** Where a method that returns a future or a stream runs whose lock is granted while its caller still asks; for tests. */
    void runGrantedAtOnceBy(Executor executor) {
        interceptor.runGrantedAtOnceBy(executor);
    }

    /** Forgets it as that of {@link WovenLocks}. */
    @Override
    public void destroy() {
        WovenLocks.forget(this);
    }

    @Nullable
    Object invokeWoven(MethodInvocation call) throws Throwable {
        Object target = call.getThis();
        Class<?> type = target == null ? call.getMethod().getDeclaringClass() : target.getClass();
        // Of a class with defaults and no key, some methods are not locked.
        return methods.find(call.getMethod(), type) == null ? call.proceed() : interceptor.invoke(call);
    }

    /** The {@linkplain DynamoLocked#name names} of the locks of all methods found until now. */
    public Set<String> lockNames() {
        return methods.names();
    }

    @Override
    public Advice getAdvice() {
        return interceptor;
    }

    @Override
    public Pointcut getPointcut() {
        // The methods are read all the same, which refuses what would run without a lock.
        ClassFilter classes = type -> methods.existIn(type) && !isForWovenCode;
        MethodMatcher calls = new StaticMethodMatcher() {
            @Override
            public boolean matches(Method method, Class<?> beanClass) {
                return methods.find(method, beanClass) != null;
            }
        };
        return new ComposablePointcut(classes, calls);
    }

    private static String resolve(ConfigurableBeanFactory beans, String text) {
        String resolved = beans.resolveEmbeddedValue(text);
        return resolved == null ? "" : resolved;
    }
}
