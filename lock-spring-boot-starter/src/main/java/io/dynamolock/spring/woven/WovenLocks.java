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
 * Where the methods of classes that AspectJ has woven with {@link DynamoLockedAspect} take their locks from: one
 * registry for all classes of this class loader, set explicitly. In a Spring application {@link
 * EnableDynamoLocks#mode()} sets it, or the property {@code dynamolock.aspect.mode} of the starter. If several contexts
 * do so, the last one counts, and when that is closed, the one before it. Thread-safe.
 */
public final class WovenLocks {

    private static final Duration DEFAULT_WAIT = Duration.ofSeconds(60);

    private WovenLocks() {}

    /**
     * From now on, woven methods take their locks from this registry, and from no other that was set before. Methods
     * that set no {@link DynamoLocked#waitTime()} wait 60 seconds. Placeholders in the annotations mean system
     * properties and environment variables, and keys know no beans.
     */
    public static void use(LockRegistry registry) {
        DefaultListableBeanFactory noBeans = new DefaultListableBeanFactory();
        noBeans.addEmbeddedValueResolver(new StandardEnvironment()::resolvePlaceholders);
        LockedMethods methods = new LockedMethods(noBeans, () -> DEFAULT_WAIT);
        methods.readAsWoven();
        WovenCalls.replaceAll(new LockInterceptor(methods, () -> registry, LockInterceptor.GRANTED_AT_ONCE));
    }

    /** From now on, woven methods fail until another registry is set. Does not close the registry. */
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
