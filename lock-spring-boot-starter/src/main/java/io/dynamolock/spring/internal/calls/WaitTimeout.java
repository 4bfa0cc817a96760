package io.dynamolock.spring.internal.calls;

import io.dynamolock.LockTimeoutException;
import io.dynamolock.spring.internal.declarations.LockDeclaration;
import io.dynamolock.spring.internal.declarations.TimeoutAction;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * A wait that ended without the lock. The call holds no lock.
 *
 * @param declaration the annotation whose lock was not free
 */
record WaitTimeout(LockDeclaration declaration, LockTimeoutException exception) {

    /** Whether the method is skipped, so that the call returns the empty value of its type. */
    boolean skips() {
        return declaration.onTimeout() instanceof TimeoutAction.Skip;
    }

    /** Answers the call in the method's place. Not to be called if {@link #skips()}. */
    @Nullable
    Object answer(MethodInvocation invocation) throws Throwable {
        if (declaration.onTimeout() instanceof TimeoutAction.Answer action) {
            return action.answer(invocation, exception);
        }
        throw new IllegalStateException("a skipped call returns the empty value of its type");
    }
}
