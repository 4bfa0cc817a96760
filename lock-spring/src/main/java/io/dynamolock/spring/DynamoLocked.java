package io.dynamolock.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The method runs while the caller holds a lock, in the whole fleet at most one at a time for each key.
 *
 * <pre>{@code
 * @DynamoLocked(key = "#customerId", waitTime = "60s")
 * public Order placeOrder(String customerId, BigDecimal amount) { ... }
 * }</pre>
 *
 * <p>Callers are served in the order in which they came. The lock is taken before a transaction of the method begins
 * and released after it has ended. If the caller has a transaction already, the lock is held until that has ended
 * ({@link ReleaseTime}). A thread that holds the lock enters other methods with the same namespace and key
 * without asking again. With {@link #mode} methods share a lock as readers do.
 *
 * <p>On a class, the settings are the defaults of its methods. If they include a {@link #key}, every public method that
 * the class declares is locked; if not, only those that carry the annotation themselves. The annotation is also found
 * on interfaces and their methods, on overridden methods, and as a meta-annotation.
 *
 * <p>It works on calls that come through the Spring proxy, as {@code @Transactional} does: a call within the same
 * object takes no lock. Methods that go on after they have returned (futures, reactive types, Kotlin's suspending
 * functions) are refused when the application starts.
 *
 * <p>Durations are written like {@code 500ms}, {@code 60s}, {@code 1h30m}, in ISO-8601 ({@code PT1M}), as {@code 0} or,
 * where that makes sense, {@code forever}. Every string may hold placeholders: <code>${orders.wait}</code>.
 *
 * <p>A mistake in the annotation (an unknown parameter in the key, a bad duration, a private method) stops the
 * application when the bean is created.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface DynamoLocked {

    /**
     * What is locked: an expression in Spring's expression language, for example {@code #customerId},
     * {@code 'customer:' + #order.customerId}, {@code #p0} (or {@code #a0}, the first argument), {@code #root.method},
     * {@code #root.methodName}, {@code #root.target}, {@code #root.args[0]}, {@code @tenants.current()},
     * {@code T(java.util.Locale).ROOT.toString()}.
     *
     * <p>It must give a string, a number, a boolean, a character, a UUID, an enum constant or a record (in Kotlin, a data
     * class) of these. Null and blank strings, and everything else, fail the call with a {@link LockKeyException}.
     *
     * <p>Placeholders are replaced before the expression is read: <code>'${orders.region}:' + #customerId</code>.
     */
    String key() default "";

    /** Keys in different namespaces are different locks. Not set: {@code default}. */
    String namespace() default "";

    /** The name under which metrics show this lock. Not set: class and method, like {@code OrderService.placeOrder}. */
    String name() default "";

    /**
     * How long to wait for the lock (Java does not allow the name {@code wait} here); {@code 0} to fail at once if it
     * is not free, {@code forever} to never give up. Not set: the property {@code dynamo-lock.wait}, 60 seconds by
     * default.
     */
    String waitTime() default "";

    /**
     * After this time the lock is released and counts as lost, even if the method still runs: a thread that hangs must
     * not hold a lock for ever. Not set, or {@code forever}: no such bound.
     */
    String maxHold() default "";

    /**
     * The lock stays held at least this long, even if the method returns earlier. The call does not wait for that. Not
     * set, or {@code 0}: it is released when the method ends.
     */
    String holdAtLeast() default "";

    /**
     * How the lock is held. Not set: {@link Mode#EXCLUSIVE}. A method that runs under a shared lock cannot call one that wants
     * the same lock exclusively: that call fails with an {@link IllegalStateException}, for it would wait for itself.
     */
    Mode mode() default Mode.DEFAULT;

    /** What to do when the wait is over. Not set: {@link OnTimeout#THROW}. */
    OnTimeout onTimeout() default OnTimeout.DEFAULT;

    /** What to do when the lock is lost while the method runs. Not set: {@link OnLost#THROW}. */
    OnLost onLost() default OnLost.DEFAULT;
}
