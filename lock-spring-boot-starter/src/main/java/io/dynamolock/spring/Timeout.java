package io.dynamolock.spring;

import io.dynamolock.LockTimeoutException;
import java.util.Objects;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * The end of a wait: the call holds nothing.
 *
 * @param method what the annotation says whose lock was not free
 * @param exception none where nobody needs it
 */
record Timeout(LockedMethod method, @Nullable LockTimeoutException exception) {

    boolean skips() {
        return method.onTimeout() == OnTimeout.SKIP;
    }

    /** What the call gives instead, if it is not skipped. */
    @Nullable
    Object answer(MethodInvocation invocation) throws Throwable {
        return method.whenOver().answer(invocation, Objects.requireNonNull(exception));
    }
}
