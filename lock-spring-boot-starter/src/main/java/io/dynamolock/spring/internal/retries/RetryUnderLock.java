package io.dynamolock.spring.internal.retries;

import io.dynamolock.LockException;
import io.dynamolock.spring.annotation.EnableDynamoLocks;
import io.dynamolock.spring.internal.Libraries;
import io.dynamolock.spring.internal.calls.FutureCall;
import io.dynamolock.spring.internal.calls.LockInterceptor;
import io.dynamolock.spring.internal.calls.LockedCall;
import io.dynamolock.spring.internal.declarations.StreamTypes;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.MethodMatcher;
import org.springframework.aop.Pointcut;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.aspectj.AbstractAspectJAdvice;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.ComposablePointcut;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.MethodMatchers;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.KotlinDetector;
import org.springframework.resilience.retry.AbstractRetryInterceptor;

/**
 * Puts the retries of a locked method under its lock: all attempts run while it is held, so that the caller keeps its
 * place, waits once, and does not do finished work again because the lock was lost. A {@link LockException} that an
 * attempt throws is not retried.
 *
 * <p>Spring's own {@code @Retryable} puts itself outside of all aspects whose order is a number, so for locked methods it is moved.
 * Others have an order of their own, and keep it. Its bean is auto-configured, or comes with
 * {@link EnableDynamoLocks}. It must run after what applies the retries, so it has no order. Thread-safe.
 */
public final class RetryUnderLock implements BeanPostProcessor {

    /** By name, because these libraries need not be there. */
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
                // A method may have several retries.
                String key = RetryUnderLock.class.getName() + place;
                MethodInterceptor inside = call -> attempt((ProxyMethodInvocation) call, key);
                MethodInterceptor outside = call -> run((ProxyMethodInvocation) call, key);
                advised.addAdvisor(place + 1, new DefaultPointcutAdvisor(locked, inside));
                advised.addAdvisor(place, new DefaultPointcutAdvisor(locked, outside));
            }
        }
    }

    /** The retry as it is, on fewer methods. */
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

    /** Outside the retry: the caller gets the lock exception of an attempt, whatever the retry makes of it. */
    private static @Nullable Object run(ProxyMethodInvocation call, String key) throws Throwable {
        FutureCall future = FutureCall.of(call);
        if (future != null) {
            Object result = call.proceed();
            // For aspects between the lock and the retry, which leaves it open when the call is over.
            future.attempted(result);
            return result;
        }
        if (givesStream(call)) {
            Object result = call.proceed();
            return result == null ? null : RetriedStream.showFailure(result);
        }
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        call.setUserAttribute(key, failure);
        try {
            Object result = call.proceed();
            if (failure.get() == null) {
                return result;
            }
        } catch (Throwable made) {
            failure.compareAndSet(null, made);
        }
        throw Objects.requireNonNull(failure.get());
    }

    /** Inside the retry: what it takes for a result is not tried again. */
    @SuppressWarnings("unchecked")
    private static @Nullable Object attempt(ProxyMethodInvocation call, String key) throws Throwable {
        FutureCall future = FutureCall.of(call);
        if (future != null) {
            return attempt(call, future);
        }
        if (givesStream(call)) {
            // What it throws is not tried again, either: the retry has no stream yet.
            Object result = call.proceed();
            return result == null ? null : RetriedStream.hideFailure(result);
        }
        AtomicReference<@Nullable Throwable> failure =
                (AtomicReference<@Nullable Throwable>) Objects.requireNonNull(call.getUserAttribute(key));
        if (failure.get() != null) {
            // A retry that does not take null for a result lets errors pass.
            throw new Error("The lock exception of an earlier attempt is the caller's.");
        }
        try {
            return call.proceed();
        } catch (LockException e) {
            failure.set(e);
            return null;
        }
    }

    /** On whatever thread. When the call is over, the retry gets a future that is left open. */
    private static @Nullable Object attempt(ProxyMethodInvocation call, FutureCall future) throws Throwable {
        if (future.isOver()) {
            return new CompletableFuture<>();
        }
        Object result;
        try {
            result = future.runAgain(call::proceed);
        } catch (Throwable e) {
            if (future.beginsHere() && !(e instanceof LockException)) {
                // Spring's retries look into no future.
                throw e;
            }
            // Nobody takes what it throws on a thread of the retry, and the future would never end, nor the hold.
            result = CompletableFuture.failedFuture(e);
        }
        return result instanceof CompletionStage<?> stage ? attempted(stage, future) : result;
    }

    private static <T> CompletionStage<T> attempted(CompletionStage<T> stage, FutureCall future) {
        future.attempted(stage);
        return stage.exceptionallyCompose(failure -> {
            if (LockedCall.cause(failure) instanceof LockException told) {
                future.end(null, told);
            }
            return future.isOver() ? new CompletableFuture<>() : CompletableFuture.failedStage(failure);
        });
    }

    /** Of which each subscription is a call of its own. */
    private static boolean givesStream(ProxyMethodInvocation call) {
        Method method = call.getMethod();
        return Libraries.REACTOR
                && (StreamTypes.isKnown(method.getReturnType()) || KotlinDetector.isSuspendingFunction(method));
    }
}
