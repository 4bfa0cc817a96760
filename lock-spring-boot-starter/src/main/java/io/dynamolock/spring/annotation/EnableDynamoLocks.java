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
 * has a {@link io.dynamolock.LockRegistry} bean; every {@link io.dynamolock.LockListener} bean hears what it does, and
 * it is closed when the context is, after everything that may hold locks has stopped.
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
 * <p>In a Spring Boot application the starter does all this, by properties; leave the annotation out there.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Import(AspectSelector.class)
public @interface EnableDynamoLocks {

    /**
     * Outside of transactions, caches and retries, which Spring puts innermost, with room for other aspects in between.
     */
    int DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 10_000;

    /**
     * How long methods wait that do not set {@link DynamoLocked#waitTime()}: a duration as there, {@code 0} or
     * {@code forever}. May contain placeholders.
     */
    String waitTime() default "60s";

    /** When the lock of a method is released that was called inside a transaction. */
    ReleaseTime release() default ReleaseTime.TRANSACTION_END;

    /** The place of the locks among other aspects: the smaller, the further outside. */
    int order() default DEFAULT_ORDER;

    /**
     * How methods are locked: by proxies, or with {@link AdviceMode#ASPECTJ} by AspectJ, which must have woven their
     * classes with {@link io.dynamolock.spring.woven.DynamoLockedAspect}. Woven methods then take their locks from this
     * context until it is closed, see {@link io.dynamolock.spring.woven.WovenLocks}, and a bean with a locked method
     * that is not woven stops the start.
     */
    AdviceMode mode() default AdviceMode.PROXY;

    /** Whether beans get a proxy of their class even if they have interfaces. */
    boolean proxyTargetClass() default false;
}
