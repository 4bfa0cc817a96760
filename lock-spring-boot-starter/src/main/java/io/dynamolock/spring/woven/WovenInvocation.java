package io.dynamolock.spring.woven;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Method;
import org.aopalliance.intercept.MethodInvocation;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.reflect.MethodSignature;
import org.jspecify.annotations.Nullable;

/** A call in woven code, in the form that Spring's interceptors take. */
final class WovenInvocation implements MethodInvocation {

    private final ProceedingJoinPoint call;
    private final @Nullable Object[] arguments;

    WovenInvocation(ProceedingJoinPoint call) {
        this.call = call;
        this.arguments = call.getArgs();
    }

    @Override
    public Method getMethod() {
        return ((MethodSignature) call.getSignature()).getMethod();
    }

    @Override
    public @Nullable Object[] getArguments() {
        return arguments;
    }

    @Override
    public @Nullable Object proceed() throws Throwable {
        return call.proceed(arguments);
    }

    /** Null for a static method. */
    @Override
    public @Nullable Object getThis() {
        return call.getThis();
    }

    @Override
    public AccessibleObject getStaticPart() {
        return getMethod();
    }
}
