package io.dynamolock.spring.internal.calls;

import io.dynamolock.LockTimeoutException;
import io.dynamolock.spring.internal.declarations.LockDeclaration;
import io.dynamolock.spring.internal.declarations.TimeoutAction;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * The end of a wait: the call holds nothing.
 *
 * @param method what the annotation says whose lock was not free
 */
record WaitTimeout(LockDeclaration method, LockTimeoutException exception) {

    boolean skips() {
        return method.whenOver() == TimeoutAction.SKIP;
    }

    /** What the call gives instead, if it is not skipped. */
    @Nullable
    Object answer(MethodInvocation invocation) throws Throwable {
        return method.whenOver().answer(invocation, exception);
    }
}
