package io.dynamolock.spring.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.AdviceMode;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;

/**
 * Sets up {@link DynamoLocked} and {@link DynamoLeader} in a Spring application without Spring Boot. The application
 * must have a {@link io.dynamolock.LockRegistry} bean; every {@link io.dynamolock.LockListener} bean hears what the
 * registry does. The registry is closed with the context, after everything that may hold locks has stopped.
 *
 * <pre>{@code
 * @Configuration
 * @EnableDynamoLocks
 * class LockConfiguration {
 *
 *     @Bean
 *     LockRegistry locks(DynamoDbClient client) {
 *         return LockRegistry.builder(client).application("orders").build();
 *     }
 * }
 * }</pre>
 *
 * <p>In a Spring Boot application the starter does all this, by properties; do not use the annotation there. If it is
 * there all the same, the attributes count for methods with {@link DynamoLocked}, and a warning at the start names the
 * properties that have no effect on them.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Import(AspectSelector.class)
public @interface EnableDynamoLocks {

    /**
     * The default of {@link #order}: the lock is outside transactions and caches, which Spring puts innermost, with
     * room for other aspects in between.
     */
    int DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 10_000;

    /**
     * How long a method without a {@link DynamoLocked#waitTime()} of its own waits: a duration as in {@link
     * DynamoLocked}, {@code 0} or {@code forever}. May contain placeholders.
     */
    String waitTime() default "60s";

    /** When a method that was called inside a transaction releases its lock. */
    ReleaseTime release() default ReleaseTime.TRANSACTION_END;

    /** What to do when a method takes its lock on a thread that may have read data before. */
    PersistenceContextCheck persistenceContext() default PersistenceContextCheck.WARN;

    /**
     * The place of the lock among other aspects: a smaller number is further outside. Whatever the order, Spring's
     * {@code @Retryable} of a locked method is moved inside the lock.
     */
    int order() default DEFAULT_ORDER;

    /**
     * How methods are locked: by proxies, or by AspectJ. With {@link AdviceMode#ASPECTJ}, AspectJ must have woven the
     * classes with {@link io.dynamolock.spring.woven.DynamoLockedAspect}: if a bean has a locked method that is not
     * woven, the application does not start. All woven methods of this class loader then take their locks from this
     * context until it is closed, see {@link io.dynamolock.spring.woven.WovenLocks}.
     */
    AdviceMode mode() default AdviceMode.PROXY;

    /** Whether beans get a proxy of their class even if they have interfaces. */
    boolean proxyTargetClass() default false;
}
