package io.dynamolock.spring.internal.retries;

import io.dynamolock.spring.annotation.EnableDynamoLocks;
import io.dynamolock.spring.internal.calls.LockInterceptor;
import io.dynamolock.spring.internal.calls.RunningCall;
import java.util.List;
import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.MethodMatcher;
import org.springframework.aop.Pointcut;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.aspectj.AbstractAspectJAdvice;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.ComposablePointcut;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.MethodMatchers;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.resilience.retry.AbstractRetryInterceptor;

/**
 * Moves the retries of a locked method inside its lock. All attempts run while the lock is held, so the caller waits
 * only once. No attempt begins after the lock is lost or the call is over. An attempt that ends by the loss of the lock
 * ends the call: no pause and no recovery of the retry follows.
 *
 * <p>Spring's own {@code @Retryable} puts itself outside of all aspects whose order is a number, so it is moved for
 * locked methods. Retries of other libraries keep the order that they have. The bean of this class is auto-configured,
 * or comes with {@link EnableDynamoLocks}. It has no order, because it must run after the post-processor that applies
 * the retries. Thread-safe.
 */
public final class RetryUnderLock implements BeanPostProcessor {

    /** By name, because these libraries are optional. */
    private static final List<String> OF_OTHERS = List.of("org.springframework.retry.", "io.github.resilience4j.");

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof Advised advised && !advised.isFrozen()) {
            for (Advisor advisor : advised.getAdvisors()) {
                if (advisor.getAdvice() instanceof LockInterceptor && advisor instanceof PointcutAdvisor lock) {
                    arrange(advised, lock);
                }
            }
        }
        return bean;
    }

    private static void arrange(Advised advised, PointcutAdvisor lock) {
        Pointcut locked = lock.getPointcut();
        for (Advisor advisor : advised.getAdvisors()) {
            int place = advised.indexOf(advisor);
            if (advisor.getAdvice() instanceof AbstractRetryInterceptor
                    && advisor instanceof PointcutAdvisor retry
                    && place < advised.indexOf(lock)) {
                advised.removeAdvisor(place);
                advised.addAdvisor(place, on(MethodMatchers.negate(locked.getMethodMatcher()), retry));
                advised.addAdvisor(advised.indexOf(lock) + 1, on(locked.getMethodMatcher(), retry));
            }
        }
        for (Advisor advisor : advised.getAdvisors()) {
            int place = advised.indexOf(advisor);
            if (place > advised.indexOf(lock) && isRetry(advisor.getAdvice())) {
                MethodInterceptor inside = RetryUnderLock::attempt;
                MethodInterceptor outside = RetryUnderLock::proceedAndThrowLoss;
                advised.addAdvisor(place + 1, new DefaultPointcutAdvisor(locked, inside));
                advised.addAdvisor(place, new DefaultPointcutAdvisor(locked, outside));
            }
        }
    }

    /** The same retry, restricted to these methods. */
    private static Advisor on(MethodMatcher methods, PointcutAdvisor retry) {
        Pointcut retried = retry.getPointcut();
        return new DefaultPointcutAdvisor(
                new ComposablePointcut(
                        retried.getClassFilter(), MethodMatchers.intersection(retried.getMethodMatcher(), methods)),
                retry.getAdvice());
    }

    private static boolean isRetry(Advice advice) {
        Class<?> type = advice instanceof AbstractAspectJAdvice aspect
                ? aspect.getAspectJAdviceMethod().getDeclaringClass()
                : advice.getClass();
        return advice instanceof AbstractRetryInterceptor
                || type.getName().contains("Retry") && OF_OTHERS.stream().anyMatch(type.getName()::startsWith);
    }

    /** Runs outside the retry. If a loss ended an attempt, the caller gets the loss, whatever the retry returns. */
    private static @Nullable Object proceedAndThrowLoss(MethodInvocation invocation) throws Throwable {
        RunningCall call = RunningCall.of(invocation);
        try {
            return invocation.proceed();
        } finally {
            if (call != null) {
                call.throwLossOfAttempt();
            }
        }
    }

    /**
     * Runs one attempt, inside the retry. An attempt of a stream needs no check: the call cancels the retry when the
     * lock is lost.
     */
    private static @Nullable Object attempt(MethodInvocation invocation) throws Throwable {
        RunningCall call = RunningCall.of(invocation);
        return call == null ? invocation.proceed() : call.attempt(invocation::proceed);
    }
}
