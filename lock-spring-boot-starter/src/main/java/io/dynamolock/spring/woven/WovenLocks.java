package io.dynamolock.spring.woven;

import io.dynamolock.LockRegistry;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.EnableDynamoLocks;
import io.dynamolock.spring.internal.MethodNames;
import io.dynamolock.spring.internal.calls.LockInterceptor;
import io.dynamolock.spring.internal.declarations.LockedMethods;
import io.dynamolock.spring.internal.woven.WovenCalls;
import java.time.Duration;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.core.env.StandardEnvironment;

/**
 * Sets the registry from which methods woven with {@link DynamoLockedAspect} take their locks: one registry for all
 * classes of this class loader. In a Spring application, {@link EnableDynamoLocks#mode()} or the starter's property
 * {@code dynamolock.aspect.mode} sets it. If several contexts set a registry, woven methods use that of the latest
 * context, and when this context is closed, that of the context before it. Thread-safe.
 */
public final class WovenLocks {

    private static final Duration DEFAULT_WAIT = Duration.ofSeconds(60);

    private WovenLocks() {}

    /**
     * From now on, woven methods take their locks from this registry; all earlier settings are forgotten. Methods
     * without a {@link DynamoLocked#waitTime()} of their own wait 60 seconds. Placeholders in the annotations are
     * resolved from system properties and environment variables. Keys cannot use beans.
     */
    public static void use(LockRegistry registry) {
        DefaultListableBeanFactory noBeans = new DefaultListableBeanFactory();
        noBeans.addEmbeddedValueResolver(new StandardEnvironment()::resolvePlaceholders);
        LockedMethods methods = new LockedMethods(noBeans, () -> DEFAULT_WAIT);
        methods.expectWoven();
        WovenCalls.makeOnly(new LockInterceptor(methods, () -> registry, LockInterceptor.IMMEDIATE_GRANT_EXECUTOR));
    }

    /** Forgets the registry, without closing it. From now on, woven methods fail until a registry is set. */
    public static void forget() {
        WovenCalls.clear();
    }

    static @Nullable Object invoke(MethodInvocation call) throws Throwable {
        LockInterceptor locks = WovenCalls.current();
        if (locks == null) {
            throw new IllegalStateException("@DynamoLocked on "
                    + MethodNames.full(call.getMethod(), call.getMethod().getDeclaringClass())
                    + ": no registry is set, so nothing is locked and the method was not entered. Call"
                    + " WovenLocks.use(registry) when the application starts.");
        }
        return locks.invokeWoven(call);
    }
}
