package io.dynamolock.spring;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;

/** What runs under the lock: the aspects inside it, and the method itself. */
@FunctionalInterface
interface MethodBody {

    @Nullable
    Object run() throws Throwable;

    /**
     * The rest of this invocation, on whatever thread and as often as wanted. The invocation itself counts how far it has come,
     * and aspects of AspectJ find it by the thread.
     */
    static MethodBody later(MethodInvocation invocation) {
        return () -> ExposeInvocationInterceptor.INSTANCE.invoke(
                invocation instanceof ProxyMethodInvocation proxied ? proxied.invocableClone() : invocation);
    }
}
