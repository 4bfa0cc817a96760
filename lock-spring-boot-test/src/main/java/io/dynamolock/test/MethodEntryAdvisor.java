package io.dynamolock.test;

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

/** Looks, innermost of all aspects, under which locks a method is entered. Thread-safe. */
final class MethodEntryAdvisor extends AbstractPointcutAdvisor {

    private static final long serialVersionUID = 1L;

    private final transient Supplier<TestLocks> locks;
    private final transient Pointcut lockedMethods;

    MethodEntryAdvisor(Supplier<TestLocks> locks, Pointcut lockedMethods) {
        this.locks = locks;
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
        List<MethodEntries.Lock> entered = CurrentLock.all().stream()
                .map(CurrentLock::handle)
                .map(MethodEntryAdvisor::seen)
                .toList();
        locks.get().methods().entered(type, invocation.getMethod(), entered);
        return invocation.proceed();
    }

    private static MethodEntries.Lock seen(LockHandle handle) {
        return new MethodEntries.Lock(handle.key(), handle.namespace(), handle.isValid());
    }
}
