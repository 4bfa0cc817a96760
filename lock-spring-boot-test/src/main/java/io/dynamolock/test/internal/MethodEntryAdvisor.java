package io.dynamolock.test.internal;

import io.dynamolock.LockHandle;
import io.dynamolock.spring.annotation.CurrentLock;
import java.util.List;
import java.util.function.Supplier;
import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Pointcut;
import org.springframework.aop.support.AbstractPointcutAdvisor;
import org.springframework.core.Ordered;

/** Notes under which locks a method is entered. Runs as the innermost of all aspects. Thread-safe. */
public final class MethodEntryAdvisor extends AbstractPointcutAdvisor {

    private static final long serialVersionUID = 1L;

    private final transient Supplier<MethodEntries> methodEntries;
    private final transient Pointcut lockedMethods;

    /** @param methodEntries asked for at each call, so that making this advisor makes no other bean */
    public MethodEntryAdvisor(Supplier<MethodEntries> methodEntries, Pointcut lockedMethods) {
        this.methodEntries = methodEntries;
        this.lockedMethods = lockedMethods;
        setOrder(Ordered.LOWEST_PRECEDENCE);
    }

    @Override
    public Pointcut getPointcut() {
        return lockedMethods;
    }

    @Override
    public Advice getAdvice() {
        return (MethodInterceptor) this::enter;
    }

    private @Nullable Object enter(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        Class<?> type = target == null ? invocation.getMethod().getDeclaringClass() : target.getClass();
        List<MethodEntries.Lock> locks = CurrentLock.all().stream()
                .map(CurrentLock::handle)
                .map(MethodEntryAdvisor::lockNow)
                .toList();
        methodEntries.get().entered(type, invocation.getMethod(), locks);
        return invocation.proceed();
    }

    private static MethodEntries.Lock lockNow(LockHandle handle) {
        return new MethodEntries.Lock(handle.key(), handle.namespace(), handle.isValid());
    }
}
