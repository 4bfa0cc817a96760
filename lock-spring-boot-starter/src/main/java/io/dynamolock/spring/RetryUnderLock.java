package io.dynamolock.spring;

import io.dynamolock.LockException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.MethodMatcher;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.aspectj.AbstractAspectJAdvice;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.ComposablePointcut;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcher;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.KotlinDetector;
import org.springframework.resilience.retry.AbstractRetryInterceptor;

/**
 * Puts the retries of a locked method under its lock: all attempts run while it is held, so that the caller keeps its
 * place, waits once, and does not do finished work again because the lock was lost. A {@link LockException} that an
 * attempt throws is not retried.
 *
 * <p>Spring's own {@code @Retryable} puts itself outside of all aspects whose order is a number, so for locked methods it is moved.
 * Others have an order of their own, and keep it. Its bean is auto-configured; a program without auto-configuration may declare
 * it beside the {@link DynamoLockedAdvisor}. It must run after what applies the retries, so it has no order. Thread-safe.
 */
public final class RetryUnderLock implements BeanPostProcessor {

    /** By name, because these libraries need not be there. */
    private static final List<String> OF_OTHERS = List.of("org.springframework.retry.", "io.github.resilience4j.");

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof Advised advised && !advised.isFrozen()) {
            Advisor[] advisors = advised.getAdvisors();
            for (Advisor advisor : advisors) {
                if (advisor instanceof DynamoLockedAdvisor lock) {
                    arrange(advised, lock);
                }
            }
        }
        return bean;
    }

    private static void arrange(Advised advised, DynamoLockedAdvisor lock) {
        for (Advisor advisor : List.of(advised.getAdvisors())) {
            int place = advised.indexOf(advisor);
            if (advisor.getAdvice() instanceof AbstractRetryInterceptor
                    && advisor instanceof PointcutAdvisor retry
                    && place < advised.indexOf(lock)) {
                advised.removeAdvisor(place);
                advised.addAdvisor(place, onMethods(retry, lock, false));
                advised.addAdvisor(advised.indexOf(lock) + 1, onMethods(retry, lock, true));
            }
        }
        List<Advisor> all = List.of(advised.getAdvisors());
        for (Advisor retry : new ArrayList<>(all.subList(all.indexOf(lock) + 1, all.size()))) {
            if (isRetry(retry.getAdvice())) {
                int place = advised.indexOf(retry);
                // A method may have several retries.
                String key = RetryUnderLock.class.getName() + place;
                advised.addAdvisor(place + 1, onLockedMethods(lock, call -> attempt(call, key)));
                advised.addAdvisor(place, onLockedMethods(lock, call -> run(call, key)));
            }
        }
    }

    /** The retry as it is, on its locked methods or on all others. */
    private static Advisor onMethods(PointcutAdvisor retry, DynamoLockedAdvisor lock, boolean locked) {
        MethodMatcher retried = retry.getPointcut().getMethodMatcher();
        MethodMatcher underLock = lock.getPointcut().getMethodMatcher();
        MethodMatcher matcher = new StaticMethodMatcher() {
            @Override
            public boolean matches(Method method, Class<?> beanClass) {
                return retried.matches(method, beanClass) && underLock.matches(method, beanClass) == locked;
            }
        };
        return new DefaultPointcutAdvisor(
                new ComposablePointcut(retry.getPointcut().getClassFilter(), matcher), retry.getAdvice());
    }

    private static boolean isRetry(Advice advice) {
        if (advice instanceof AbstractRetryInterceptor) {
            return true;
        }
        String type = advice instanceof AbstractAspectJAdvice aspect
                ? aspect.getAspectJAdviceMethod().getDeclaringClass().getName()
                : advice.getClass().getName();
        return type.contains("Retry") && OF_OTHERS.stream().anyMatch(type::startsWith);
    }

    private static Advisor onLockedMethods(DynamoLockedAdvisor lock, MethodInterceptor interceptor) {
        return new DefaultPointcutAdvisor(lock.getPointcut(), interceptor);
    }

    /** Outside the retry. */
    private static @Nullable Object run(MethodInvocation invocation, String key) throws Throwable {
        if (!givesStream(invocation)) {
            return RetriedCall.run((ProxyMethodInvocation) invocation, key);
        }
        Object result = invocation.proceed();
        return result != null && isStream(result) ? RetriedStream.showFailure(result) : result;
    }

    /** Inside the retry: what it takes for a result is not tried again. */
    private static @Nullable Object attempt(MethodInvocation invocation, String key) throws Throwable {
        if (!givesStream(invocation)) {
            return RetriedCall.attempt((ProxyMethodInvocation) invocation, key);
        }
        // What it throws is not tried again, either: the retry has no stream yet.
        Object result = invocation.proceed();
        return result != null && isStream(result) ? RetriedStream.hideFailure(result) : result;
    }

    /** Of which each subscription is a call of its own. */
    private static boolean givesStream(MethodInvocation invocation) {
        Method method = invocation.getMethod();
        return Libraries.REACTOR
                && (StreamTypes.isKnown(method.getReturnType()) || KotlinDetector.isSuspendingFunction(method));
    }

    private static boolean isStream(Object result) {
        return Libraries.REACTOR && StreamTypes.nearest(result.getClass()) != null;
    }
}
