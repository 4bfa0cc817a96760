package io.dynamolock.spring.internal.calls;

import io.dynamolock.spring.internal.CurrentHandle;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/** A call that holds its locks, as aspects inside them see it that run the method several times, perhaps on threads of their own. */
public interface RunningCall {

    /**
     * The call to which the rest of a method belongs that lies under its locks; null if its method returns a stream, each of whose
     * subscriptions is a call of its own, or is woven.
     */
    static @Nullable RunningCall of(MethodInvocation invocation) {
        return invocation instanceof ProxyMethodInvocation proxied
                ? (RunningCall) proxied.getUserAttribute(RunningCall.class.getName())
                : null;
    }

    /** Makes this the call to which what follows belongs. */
    default void begin(MethodInvocation invocation) {
        if (invocation instanceof ProxyMethodInvocation proxied) {
            proxied.setUserAttribute(RunningCall.class.getName(), this);
        }
    }

    /**
     * Runs one attempt under the locks of the call. Of a method that returns a future, the answer fails instead of the call.
     *
     * @throws io.dynamolock.LockLostException if a lock is lost whose loss matters; the body is not run
     * @throws java.util.concurrent.CancellationException if the call is over; the body is not run
     */
    @Nullable
    Object attempt(CurrentHandle.Body body) throws Throwable;
}
