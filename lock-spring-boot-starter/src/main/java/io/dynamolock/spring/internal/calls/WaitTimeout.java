package io.dynamolock.spring.internal.calls;

import io.dynamolock.LockTimeoutException;
import io.dynamolock.spring.internal.declarations.LockDeclaration;
import io.dynamolock.spring.internal.declarations.TimeoutAction;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * A wait that is over without success. The call holds nothing.
 *
 * @param declaration the annotation whose lock was not free
 */
record WaitTimeout(LockDeclaration declaration, LockTimeoutException exception) {

    boolean skips() {
        return declaration.onTimeout() == TimeoutAction.SKIP;
    }

    /** Answers the call, unless it is skipped. */
    @Nullable
    Object answer(MethodInvocation invocation) throws Throwable {
        return declaration.onTimeout().answer(invocation, exception);
    }
}
