package io.dynamolock.spring.aspect;

import io.dynamolock.LockRegistry;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.EnableDynamoLocks;
import java.time.Duration;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.core.env.StandardEnvironment;

/**
 * Where the methods of classes that AspectJ has woven with {@link DynamoLockedAspect} take their locks from: one registry for all
 * classes of this class loader, set explicitly. In a Spring application {@link EnableDynamoLocks#mode()} sets it, or the property
 * {@code dynamolock.aspect.mode} of the starter. Of several contexts that do so the last one counts, and when it is closed the one
 * before it. Thread-safe.
 */
public final class WovenLocks {

    /** The last that was set comes first. */
    private static final Deque<DynamoLockedAdvisor> SET = new ConcurrentLinkedDeque<>();

    private WovenLocks() {}

    /**
     * Woven methods take their locks from this registry from now on, and no more from others that were set before; those that set no {@link DynamoLocked#waitTime()} wait
     * 60 seconds. Placeholders in the annotations mean system properties and environment variables, and keys know no beans.
     */
    public static void use(LockRegistry registry) {
        DefaultListableBeanFactory noBeans = new DefaultListableBeanFactory();
        noBeans.addEmbeddedValueResolver(new StandardEnvironment()::resolvePlaceholders);
        DynamoLockedAdvisor advisor = new DynamoLockedAdvisor(noBeans, () -> registry, () -> Duration.ofSeconds(60));
        advisor.serveWovenCode();
        SET.addFirst(advisor);
        SET.removeIf(other -> !other.equals(advisor));
    }

    /**
     * As {@link #use(LockRegistry)}, with the beans, the placeholders and the settings of an application, and until it is forgotten.
     *
     * @return whether another one was set
     */
    static boolean add(DynamoLockedAdvisor advisor) {
        boolean isAnotherSet = !SET.isEmpty();
        SET.addFirst(advisor);
        return isAnotherSet;
    }

    /** From now on woven methods fail until another registry is set. Does not close the registry. */
    public static void forget() {
        SET.clear();
    }

    /** What was set before it counts again, unless another one was set since. */
    static void forget(DynamoLockedAdvisor advisor) {
        SET.remove(advisor);
    }

    static @Nullable Object invoke(MethodInvocation call) throws Throwable {
        DynamoLockedAdvisor advisor = SET.peekFirst();
        if (advisor == null) {
            throw new IllegalStateException("@DynamoLocked on "
                    + MethodNames.full(call.getMethod(), call.getMethod().getDeclaringClass())
                    + ": no registry is set, so nothing is locked and the method was not entered. Call"
                    + " WovenLocks.use(registry) when the application starts.");
        }
        return advisor.invokeWoven(call);
    }
}
