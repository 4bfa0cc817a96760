package io.dynamolock.spring.internal.calls;

import io.dynamolock.LockTimeoutException;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.internal.declarations.LockDeclaration;
import io.dynamolock.spring.internal.declarations.LockedMethod;
import io.dynamolock.spring.internal.declarations.SkippedResult;
import io.dynamolock.spring.internal.declarations.TimeoutAction;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * A wait that ended without the lock. The call holds no lock.
 *
 * @param declaration the annotation whose lock was not free
 */
record WaitTimeout(LockDeclaration declaration, LockTimeoutException exception) {

    private static final Logger LOG = LoggerFactory.getLogger(DynamoLocked.class);

    /** Whether the method is skipped, so that the call returns the empty value of its type. */
    boolean skips() {
        return declaration.onTimeout() instanceof TimeoutAction.Skip;
    }

    /**
     * Skips the method: logs that, because nothing else tells of it, and returns the empty value. Nobody calls a
     * scheduled method who would miss its work, so that line is at a level that production shows. Only to be called if
     * {@link #skips()}.
     *
     * @param type of the value that the caller gets
     */
    @Nullable
    Object skip(LockedMethod method, Class<?> type) {
        LOG.atLevel(method.isScheduled() ? Level.INFO : Level.DEBUG)
                .log("{} is skipped. {}", method.description(), exception.getMessage());
        return SkippedResult.of(type);
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
