package io.dynamolock.spring.aspect;

import io.dynamolock.LockRegistry;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.EnableDynamoLocks;
import io.dynamolock.spring.annotation.PersistenceContextCheck;
import io.dynamolock.spring.annotation.ReleaseTime;
import io.dynamolock.spring.internal.calls.LockInterceptor;
import io.dynamolock.spring.internal.declarations.LockedMethods;
import io.dynamolock.spring.internal.persistence.EarlierReadsListener;
import io.dynamolock.spring.internal.woven.WovenCalls;
import io.dynamolock.spring.woven.WovenLocks;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.annotation.AdviceMode;

/**
 * The aspect for Spring's proxies: says which methods are locked, and runs their calls. The auto-configuration declares
 * the bean, and so does {@link EnableDynamoLocks}. An application with neither declares the bean itself.
 */
public final class DynamoLockedAdvisor extends StaticMethodMatcherPointcutAdvisor
        implements SmartInitializingSingleton, DisposableBean {

    private static final long serialVersionUID = 1L;

    private static final Logger LOG = LoggerFactory.getLogger(DynamoLockedAdvisor.class);

    private final transient ConfigurableBeanFactory beans;
    private final transient Supplier<LockRegistry> registry;
    private final transient LockedMethods methods;
    private final transient LockInterceptor interceptor;

    /**
     * @param beans resolves placeholders in the annotations and beans in the keys
     * @param registry called for each call of a locked method; if there are several registries, also once when all
     *     beans exist; never earlier
     * @param defaultWait the wait of methods without a {@link DynamoLocked#waitTime()} of their own; called when a bean
     *     with such a method is created, never earlier
     */
    public DynamoLockedAdvisor(
            ConfigurableBeanFactory beans, Supplier<LockRegistry> registry, Supplier<Duration> defaultWait) {
        this(beans, registry, defaultWait, LockInterceptor.IMMEDIATE_GRANT_EXECUTOR);
    }

    /** @param immediateGrantExecutor see {@link LockInterceptor#IMMEDIATE_GRANT_EXECUTOR} */
    DynamoLockedAdvisor(
            ConfigurableBeanFactory beans,
            Supplier<LockRegistry> registry,
            Supplier<Duration> defaultWait,
            Executor immediateGrantExecutor) {
        this.beans = beans;
        this.registry = registry;
        this.methods = new LockedMethods(beans, defaultWait);
        this.interceptor = new LockInterceptor(methods, registry, immediateGrantExecutor);
        setOrder(EnableDynamoLocks.DEFAULT_ORDER);
        setAdvice(interceptor);
        // With woven code there are no proxies. The methods are read even then, so that a method that would run without
        // a lock is refused.
        setClassFilter(type -> methods.existIn(type) && !methods.areWoven());
    }

    /** When locks are released from now on; {@link ReleaseTime#TRANSACTION_END} if this is never called. */
    public void setRelease(ReleaseTime release) {
        interceptor.setRelease(release);
    }

    /**
     * What to do when a method takes its lock on a thread that may have read data before; {@link
     * PersistenceContextCheck#WARN} if this is never called.
     */
    public void setPersistenceContext(PersistenceContextCheck check) {
        interceptor.persistenceCheck().setReaction(check);
    }

    /**
     * How methods are locked; {@link AdviceMode#PROXY} if this is never called. With {@link AdviceMode#ASPECTJ} no
     * proxies are made, and woven methods use this advisor until it is destroyed ({@link WovenLocks}). A bean with a
     * locked method that AspectJ has not woven is refused when it is created. Call this before the advisor is used.
     */
    public void setMode(AdviceMode mode) {
        if (mode == AdviceMode.ASPECTJ) {
            methods.expectWoven();
            if (WovenCalls.makeCurrent(interceptor)) {
                LOG.warn("Another context, or WovenLocks.use(), has set where woven methods with @DynamoLocked take"
                        + " their locks from. From now on they take them from this context, until it is closed.");
            }
        }
    }

    /**
     * If there are several registries and none is primary, fails the start instead of every call of a locked method.
     * Also finds who hears of calls on threads that may have read before.
     */
    @Override
    public void afterSingletonsInstantiated() {
        if (beans instanceof ListableBeanFactory listable
                && BeanFactoryUtils.beanNamesForTypeIncludingAncestors(listable, LockRegistry.class).length > 1) {
            Objects.requireNonNull(registry.get());
        }
        beans.getBeanProvider(EarlierReadsListener.class).ifUnique(interceptor.persistenceCheck()::setListener);
    }

    /** From now on, woven code takes no locks through this advisor. */
    @Override
    public void destroy() {
        WovenCalls.remove(interceptor);
    }

    /** The {@linkplain DynamoLocked#name names} of the locks of all methods found so far. */
    public Set<String> lockNames() {
        return methods.names();
    }

    @Override
    public boolean matches(Method method, Class<?> beanClass) {
        return methods.find(method, beanClass) != null;
    }
}
