package io.dynamolock.spring.internal.calls;

import io.dynamolock.spring.internal.CurrentHandle;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/** A call that holds its locks, as retries see it: aspects inside the locks that run the method several times. */
public interface RunningCall {

    /**
     * The call under whose locks the invocation runs. Null in woven code, and for a stream, where each subscription is
     * a call.
     */
    static @Nullable RunningCall of(MethodInvocation invocation) {
        return invocation instanceof ProxyMethodInvocation proxied
                ? (RunningCall) proxied.getUserAttribute(RunningCall.class.getName())
                : null;
    }

    /** Attaches this call to the invocation, where aspects inside the locks find it. */
    default void attachTo(MethodInvocation invocation) {
        if (invocation instanceof ProxyMethodInvocation proxied) {
            proxied.setUserAttribute(RunningCall.class.getName(), this);
        }
    }

    /**
     * Runs one attempt of the method under the locks of the call.
     *
     * <ul>
     *   <li>If a lock is lost whose loss matters, the body is not run. The attempt returns null, or a failed future if
     *       the method returns a future. A retry takes either for a result, so neither a pause nor a recovery without
     *       the lock follows.
     *   <li>If the method returns a future, an attempt on a thread of the retry returns every failure as a failed
     *       future.
     * </ul>
     *
     * @throws java.util.concurrent.CancellationException on the caller's thread, if the call of a method that returns a
     *     future is over; the body is not run
     */
    @Nullable
    Object attempt(CurrentHandle.Body body) throws Throwable;

    /**
     * Called at the end of the retry, which does not know that an attempt ended because of a loss. Does nothing for a
     * method that returns a future: its failed future tells of the loss.
     *
     * @throws io.dynamolock.LockLostException if an attempt ended because of the loss of a lock of this call
     */
    default void throwLossOfAttempt() {}
}
