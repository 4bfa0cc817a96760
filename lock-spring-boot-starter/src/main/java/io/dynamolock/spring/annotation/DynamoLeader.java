package io.dynamolock.spring.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * At most one instance of the whole fleet is the leader of this name.
 *
 * <p>On the class of a {@link org.springframework.context.Lifecycle} bean, or on the {@code @Bean} method that makes
 * it: the bean is started when this instance begins to lead, and stopped when it no longer leads. A {@link
 * org.springframework.context.SmartLifecycle} must return {@code false} from {@code isAutoStartup}.
 *
 * <pre>{@code
 * @Component
 * @DynamoLeader("outbox")
 * class OutboxPoller implements Lifecycle { ... }
 * }</pre>
 *
 * <p>On a bean that is a {@link io.dynamolock.LeaderListener}: the methods of the bean are called.
 *
 * <p>On a method with one parameter, a {@link LeaderEvent} or a subtype: the method is called with events of this type.
 *
 * <pre>{@code
 * @DynamoLeader("outbox")
 * void leaderChanged(LeaderEvent event) { ... }
 * }</pre>
 *
 * <p>All beans and methods with the same name in an application context are one candidate. They begin in the order of
 * their definitions, and end in the opposite order. {@link io.dynamolock.LeaderListener} describes how they are called.
 * Elections begin when the context has started, and end before any bean of a lower phase stops.
 *
 * <p>A mistake in the annotation stops the application's start.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective(LockedMethodHints.class)
public @interface DynamoLeader {

    /** The name of the election; may contain placeholders: <code>${outbox.leader}</code>. */
    String value();
}
