package io.dynamolock.spring.internal.declarations;

import io.dynamolock.LockTimeoutException;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** How a call is answered when its wait for a lock is over. */
@FunctionalInterface
public interface TimeoutAction {

    /** Throws the exception as it is. */
    TimeoutAction THROW = (call, timeout) -> {
        throw timeout;
    };

    /** Skips the method. Callers look for this value, and give the {@link SkippedResult} of the method's type. */
    TimeoutAction SKIP = (call, timeout) -> null;

    /** Answers the call. It holds no lock now. */
    @Nullable
    Object answer(MethodInvocation call, LockTimeoutException timeout) throws Throwable;
}
