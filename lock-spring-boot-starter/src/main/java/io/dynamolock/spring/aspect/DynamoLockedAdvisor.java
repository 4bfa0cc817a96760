package io.dynamolock.spring.aspect;

import io.dynamolock.LockRegistry;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.EnableDynamoLocks;
import io.dynamolock.spring.annotation.ReleaseTime;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.annotation.AdviceMode;

/**
 * The aspect: finds the methods with {@link DynamoLocked} and runs them under their locks. Its bean is auto-configured;
 * a program without auto-configuration may declare it itself.
 */
public final class DynamoLockedAdvisor extends StaticMethodMatcherPointcutAdvisor implements DisposableBean {

    private static final long serialVersionUID = 1L;

    private static final Logger LOG = LoggerFactory.getLogger(DynamoLockedAdvisor.class);

    private final transient LockedMethods methods;
    private final transient Supplier<LockRegistry> registry;
    private transient volatile Executor ofGrantsAtOnce = LockedCall.OF_GRANTS_AT_ONCE;
    private volatile boolean awaitsTransactions = Libraries.TRANSACTIONS;

    /**
     * @param beans resolves placeholders in the annotations and beans in the keys
     * @param registry asked at every call, not before
     * @param defaultWait for methods that do not set {@link DynamoLocked#waitTime()}; asked when a bean with such a
     *     method is created, not before
     */
    public DynamoLockedAdvisor(
            ConfigurableBeanFactory beans, Supplier<LockRegistry> registry, Supplier<Duration> defaultWait) {
        this.methods = new LockedMethods(new LockedMethodReader(beans, defaultWait));
        this.registry = registry;
        setOrder(EnableDynamoLocks.DEFAULT_ORDER);
        setAdvice((MethodInterceptor) this::invoke);
        // The methods are read all the same, which refuses what would run without a lock.
        setClassFilter(type -> methods.existIn(type) && !methods.areWoven());
    }

    /** When locks are released from now on; {@link ReleaseTime#TRANSACTION_END} if this is never called. */
    public void setRelease(ReleaseTime release) {
        awaitsTransactions = Libraries.TRANSACTIONS && release == ReleaseTime.TRANSACTION_END;
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
                LOG.warn("Another context, or WovenLocks.use(), has set where woven methods with @DynamoLocked take"
                        + " their locks from. From now on they take them from this context, until it is closed.");
            }
        }
    }

    void serveWovenCode() {
        methods.readAsWoven();
    }

    /** Where a method that returns a future or a stream runs whose lock is granted while its caller still asks; for tests. */
    void runGrantedAtOnceBy(Executor executor) {
        ofGrantsAtOnce = executor;
    }

    /** Forgets it as that of {@link WovenLocks}. */
    @Override
    public void destroy() {
        WovenLocks.forget(this);
    }

    @Nullable
    Object invokeWoven(MethodInvocation call) throws Throwable {
        // Of a class with defaults and no key, some methods are not locked.
        return find(call) == null ? call.proceed() : invoke(call);
    }

    /** By the class by which the pointcut matched, even if the target is a proxy of something else. */
    private @Nullable LocksOfMethod find(MethodInvocation call) {
        Object target = call.getThis();
        return methods.find(
                call.getMethod(), target == null ? call.getMethod().getDeclaringClass() : target.getClass());
    }

    private @Nullable Object invoke(MethodInvocation call) throws Throwable {
        LocksOfMethod method = find(call);
        if (method == null) {
            throw new IllegalStateException("No lock is known for " + call);
        }
        Supplier<LockedCall> locked = () -> {
            List<WantedLock> wanted = method.wanted(call.getThis(), call.getArguments());
            return new LockedCall(method, registry.get(), wanted, call, awaitsTransactions, ofGrantsAtOnce);
        };
        return switch (method.result().kind()) {
            case PLAIN -> BlockingCall.run(locked.get());
            case FUTURE -> FutureCall.begin(locked);
            case STREAM, SUSPENDED -> StreamCall.begin(method.result(), locked);
        };
    }

    /** The {@linkplain DynamoLocked#name names} of the locks of all methods found until now. */
    public Set<String> lockNames() {
        return methods.names();
    }

    @Override
    public boolean matches(Method method, Class<?> beanClass) {
        return methods.find(method, beanClass) != null;
    }
}
