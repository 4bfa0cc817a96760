package io.dynamolock.spring;

import io.dynamolock.LockTimeoutException;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** What a call gives whose wait for its lock is over. */
@FunctionalInterface
interface WaitOver {

    /** The exception as it is. */
    WaitOver THROW = (call, timeout) -> {
        throw timeout;
    };

    /** Called when no lock is held. */
    @Nullable
    Object answer(MethodInvocation call, LockTimeoutException timeout) throws Throwable;
}
