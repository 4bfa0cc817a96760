package io.dynamolock.spring.internal.declarations;

import io.dynamolock.LockTimeoutException;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** What a call gives whose wait for its lock is over. */
@FunctionalInterface
public interface TimeoutAction {

    /** The exception as it is. */
    TimeoutAction THROW = (call, timeout) -> {
        throw timeout;
    };

    /** Nothing, as the method's result says it: {@link SkippedResult}. */
    TimeoutAction SKIP = (call, timeout) -> null;

    /** Called when no lock is held. */
    @Nullable
    Object answer(MethodInvocation call, LockTimeoutException timeout) throws Throwable;
}
