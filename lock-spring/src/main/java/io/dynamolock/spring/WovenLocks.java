package io.dynamolock.spring;

import io.dynamolock.LockRegistry;
import java.time.Duration;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.context.annotation.AdviceMode;
import org.springframework.core.env.StandardEnvironment;

/**
 * Where the methods of classes that AspectJ has woven with {@link DynamoLockedAspect} take their locks from: one registry for all
 * classes of this class loader, set explicitly. In a Spring application {@link EnableDynamoLocks#mode()} sets it, or the property
 * {@code dynamo-lock.aspect.mode} of the starter. Thread-safe.
 */
public final class WovenLocks {

    private static volatile @Nullable DynamoLockedAdvisor current;

    private WovenLocks() {}

    /**
     * Woven methods take their locks from this registry from now on; those that set no {@link DynamoLocked#waitTime()} wait
     * 60 seconds. Placeholders in the annotations mean system properties and environment variables, and keys know no beans.
     */
    public static void use(LockRegistry registry) {
        DefaultListableBeanFactory noBeans = new DefaultListableBeanFactory();
        noBeans.addEmbeddedValueResolver(new StandardEnvironment()::resolvePlaceholders);
        DynamoLockedAdvisor advisor = new DynamoLockedAdvisor(noBeans, () -> registry, () -> Duration.ofSeconds(60));
        advisor.setMode(AdviceMode.ASPECTJ);
        use(advisor);
    }

    /** As {@link #use(LockRegistry)}, with the beans, the placeholders and the settings of an application. */
    static void use(DynamoLockedAdvisor advisor) {
        current = advisor;
    }

    /** From now on woven methods fail until another registry is set. Does not close the registry. */
    public static void forget() {
        current = null;
    }

    /** If no other has been set since. */
    static void forget(DynamoLockedAdvisor advisor) {
        if (current == advisor) {
            current = null;
        }
    }

    static @Nullable Object invoke(MethodInvocation call) throws Throwable {
        DynamoLockedAdvisor advisor = current;
        if (advisor == null) {
            throw new IllegalStateException("@DynamoLocked on "
                    + MethodNames.full(call.getMethod(), call.getMethod().getDeclaringClass())
                    + ": no registry is set, so nothing is locked and the method was not entered. Call"
                    + " WovenLocks.use(registry) when the application starts.");
        }
        return advisor.invokeWoven(call);
    }
}
