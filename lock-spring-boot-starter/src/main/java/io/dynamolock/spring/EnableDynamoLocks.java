package io.dynamolock.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.AdviceMode;
import org.springframework.context.annotation.Import;

/**
 * Sets up {@link DynamoLocked} and {@link DynamoLeader} in a Spring application without Spring Boot. The application has
 * a {@link io.dynamolock.LockRegistry} bean; every {@link io.dynamolock.LockListener} bean hears what it does, and it is
 * closed when the context is, after everything that may hold locks has stopped.
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
@Import({ProxyRegistrar.class, DynamoLocksConfiguration.class})
public @interface EnableDynamoLocks {

    /**
     * How long methods wait that do not set {@link DynamoLocked#waitTime()}: a duration as there, {@code 0} or
     * {@code forever}. May contain placeholders.
     */
    String waitTime() default "60s";

    /** When the lock of a method is released that was called inside a transaction. */
    ReleaseTime release() default ReleaseTime.TRANSACTION_END;

    /** The place of the locks among other aspects: the smaller, the further outside. */
    int order() default DynamoLockedAdvisor.DEFAULT_ORDER;

    /**
     * By what methods are locked: by proxies, or with {@link AdviceMode#ASPECTJ} by AspectJ, which must have woven their
     * classes with {@link DynamoLockedAspect}. Then {@link WovenLocks} are those of this context until it is closed, and a bean with
     * a locked method that is not woven stops the start.
     */
    AdviceMode mode() default AdviceMode.PROXY;

    /** Whether beans get proxies of their class also where they have interfaces. */
    boolean proxyTargetClass() default false;
}
