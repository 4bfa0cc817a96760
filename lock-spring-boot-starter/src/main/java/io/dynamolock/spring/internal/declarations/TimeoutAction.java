package io.dynamolock.spring.internal.declarations;

import io.dynamolock.LockTimeoutException;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** How a call is answered when its wait for a lock ends without the lock. */
public sealed interface TimeoutAction {

    /** Skips the method: the call returns the {@link SkippedResult} of the method's type. */
    record Skip() implements TimeoutAction {}

    /** Answers the call in the method's place. */
    sealed interface Answer extends TimeoutAction permits Rethrow, Fallback, ThrowCustomException {

        /** Answers the call, which holds no lock. */
        @Nullable
        Object answer(MethodInvocation call, LockTimeoutException timeout) throws Throwable;
    }

    /** Throws the {@link LockTimeoutException} as it is. */
    record Rethrow() implements Answer {

        @Override
        public Object answer(MethodInvocation call, LockTimeoutException timeout) {
            throw timeout;
        }
    }
}
