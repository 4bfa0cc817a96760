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
import org.springframework.util.ClassUtils;

/**
 * Moves the retries of a locked method inside its lock. All attempts run while the lock is held, so the caller waits
 * only once. No attempt begins after the lock is lost or the call is over. An attempt that ends by the loss of the lock
 * ends the call: no pause and no recovery of the retry follows.
 *
 * <p>Spring adds the advisor of its own {@code @Retryable} outside of all advisors with an order, the lock's included,
 * so it is moved for locked methods. Retries of other libraries keep the order that they have. The bean of this class
 * is auto-configured, or comes with {@link EnableDynamoLocks}. It has no order, because it must run after the
 * post-processor that applies the retries. Thread-safe.
 */
public final class RetryUnderLock implements BeanPostProcessor {

    /** Since Spring 7. An older Spring has no retries of its own. */
    private static final boolean SPRING_RETRIES = ClassUtils.isPresent(
            "org.springframework.resilience.retry.AbstractRetryInterceptor", RetryUnderLock.class.getClassLoader());

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

    /**
     * Splits Spring's retry in two: outside for methods without a lock, inside for locked ones. Then wraps each retry
     * inside the lock in two interceptors.
     */
    private static void arrange(Advised advised, PointcutAdvisor lock) {
        Pointcut locked = lock.getPointcut();
        for (Advisor advisor : advised.getAdvisors()) {
            int place = advised.indexOf(advisor);
            if (isOfSpring(advisor.getAdvice())
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
                MethodInterceptor outside = RetryUnderLock::proceedAndThrowFailureByLoss;
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

    private static boolean isOfSpring(Advice advice) {
        return SPRING_RETRIES && advice instanceof AbstractRetryInterceptor;
    }

    private static boolean isRetry(Advice advice) {
        Class<?> type = advice instanceof AbstractAspectJAdvice aspect
                ? aspect.getAspectJAdviceMethod().getDeclaringClass()
                : advice.getClass();
        return isOfSpring(advice)
                || type.getName().contains("Retry") && OF_OTHERS.stream().anyMatch(type.getName()::startsWith);
    }

    /** Runs outside the retry. If a loss ended an attempt, throws what the attempt threw, not what the retry gives. */
    private static @Nullable Object proceedAndThrowFailureByLoss(MethodInvocation invocation) throws Throwable {
        RunningCall call = RunningCall.of(invocation);
        try {
            return invocation.proceed();
        } finally {
            if (call != null) {
                call.throwFailureByLoss();
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
