package io.dynamolock.spring.annotation;

import io.dynamolock.LockMode;
import io.dynamolock.LockRequest;
import io.dynamolock.LockTimeoutException;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.intellij.lang.annotations.Language;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * The method runs under a lock: at most one call at a time for each key, in the whole fleet.
 *
 * <pre>{@code
 * @DynamoLocked(key = "#customerId", waitTime = "60s")
 * public Order placeOrder(String customerId, BigDecimal amount) { ... }
 * }</pre>
 *
 * <p>Processes are served in the order of their queue entries; the README says when one caller can overtake another.
 * The lock is taken before a transaction of the method begins and released after the transaction has ended. If the
 * caller already has a transaction, the lock is held until that transaction has ended ({@link ReleaseTime}), unless the
 * method returns a future. A thread that holds the lock enters other methods with the same namespace and key without
 * acquiring it again, even if it holds the lock by {@link io.dynamolock.LockRegistry#lock(LockRequest)}. With {@link
 * #mode}, methods share a lock as readers do.
 *
 * <p>Several annotations, direct ones and meta-annotations, and several {@link #keys()} mean several locks: the method
 * runs while the caller holds all of them. All processes take them in the same order (namespace, then key), so that
 * methods with overlapping locks never deadlock. If the wait for one lock is over, the other locks are released. If two
 * annotations name the same lock, the first exclusive annotation is used, or otherwise the first annotation.
 *
 * <p>{@link CurrentLock} gives the handle of the lock to the method and to the code that it calls.
 *
 * <p>On a class, the settings are defaults for its methods. If they include a {@link #key}, every public method that
 * the class declares is locked; otherwise, only annotated methods are. The annotation also works on interfaces and
 * their methods, on overridden methods, and as a meta-annotation.
 *
 * <p>With proxies, which are the default, only calls that come through the proxy take the lock, as with Spring's
 * transactions: a call within the same object takes no lock.
 *
 * <p>For the following results, the lock is acquired without blocking and held until the result completes, fails or is
 * cancelled:
 *
 * <ul>
 *   <li>a {@code CompletableFuture}, whether declared as such, as {@code CompletionStage} or as {@code Future};
 *   <li>a {@code Mono}, a {@code Flux} or another type that Spring's {@code ReactiveAdapterRegistry} knows: the method
 *       runs for each subscription, which acquires the lock anew;
 *   <li>in Kotlin, the result of a suspending function, a {@code Deferred} or a {@code Flow}.
 * </ul>
 *
 * <p>The method runs when the lock is granted, and all exceptions arrive through the result. Cancelled work may go on
 * without the lock, but a coroutine keeps the lock until it has ended. Other results whose work continues after the
 * method has returned are refused when the application starts.
 *
 * <p>A thread that has locked by {@link io.dynamolock.LockRegistry#lock(LockRequest)} cannot enter the same lock
 * through a method that returns a future, not even from within a blocking locked method: the call blocks until the wait
 * ends.
 *
 * <p>Durations are written like {@code 500ms}, {@code 60s} or {@code 1h30m}, in ISO-8601 ({@code PT1M}), as {@code 0}
 * or, where it makes sense, {@code forever}. Every string except {@link #fallbackMethod()} may contain placeholders:
 * <code>${orders.wait}</code>.
 *
 * <p>A mistake in the annotation, such as an unknown parameter in the key or a bad duration, stops the application when
 * the bean is created. With proxies, so does a private, static or final method, which only woven code can lock. In a
 * woven class that is no bean, and with {@link io.dynamolock.spring.woven.WovenLocks#use}, the first call of the method
 * fails instead.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective(LockedMethodHints.class)
@Repeatable(DynamoLocked.Several.class)
public @interface DynamoLocked {

    /**
     * What is locked: an expression in Spring's expression language, for example {@code #customerId},
     * {@code 'customer:' + #order.customerId}, {@code #p0} (or {@code #a0}, the first argument), {@code #root.method},
     * {@code #root.methodName}, {@code #root.target}, {@code #root.args[0]}, {@code @tenants.current()},
     * {@code T(java.time.LocalDate).now()}.
     *
     * <p>Its value must be a string, a number, a boolean, a character, a UUID, an enum constant, a date or a time of
     * {@code java.time} or a record (in Kotlin, a data class) of these, or a collection or an array of keys, each of
     * which is locked. With anything else, the call fails with a {@link LockKeyException}: null, a blank string, an
     * empty collection, {@code byte[]}, {@code char[]}, any other type, or a property that does not exist. If the key
     * is just a parameter of an unusable type, the application does not start. The same rules hold for each value that
     * {@code +} joins to a text, but no such value may be a collection. {@code format}, {@code formatted}, {@code join}
     * and {@code concat} of {@code String} accept any object, and most of them null, so a key with one of them is
     * refused at start-up: use {@code +}.
     *
     * <p>The value of a placeholder is a text. It is never read as an expression: <code>'${orders.region}:' +
     * #customerId</code>.
     */
    @Language("SpEL")
    String key() default "";

    /**
     * Several keys, each written like {@link #key()}: all of them are locked. Set this or {@link #key()}, not both.
     */
    @Language("SpEL")
    String[] keys() default {};

    /**
     * An expression about the arguments, like {@link #key()}: if its value is {@code false}, the method runs without
     * this lock. If the value is neither {@code true} nor {@code false}, the call fails with a {@link
     * LockKeyException}. Not set: always locked.
     */
    @Language("SpEL")
    String condition() default "";

    /** Keys in different namespaces are different locks. Not set: {@code default}. */
    String namespace() default "";

    /** The name under which metrics show this lock. Not set: class and method, like {@code OrderService.placeOrder}. */
    String name() default "";

    /**
     * How long to wait for the lock (Java does not allow the name {@code wait} here); {@code 0} to fail at once if the
     * lock is not free, {@code forever} to never give up. Not set: the property {@code dynamolock.wait}, 60 seconds by
     * default.
     */
    String waitTime() default "";

    /**
     * After this time, the lock is released and counts as lost, even if the method still runs: a thread that hangs must
     * not hold a lock for ever. Not set, or {@code forever}: no limit.
     */
    String maxHold() default "";

    /**
     * The lock stays held for at least this long, even if the method returns earlier. The caller does not wait for
     * this. If the process is killed, the hold ends about a lease later, however long this time is. Not set, or {@code
     * 0}: the lock is released when the method ends.
     */
    String holdAtLeast() default "";

    /**
     * Whether the call waits until the lock is released in the table. Use {@code awaitRelease = true} if, after the
     * method, another process tries the lock <em>without waiting</em> and must find it free. Not set: the property
     * {@code dynamolock.await-release}, by default {@code false}, and {@code true} in AWS Lambda. The release of a lock
     * with a {@link #holdAtLeast()} is always awaited if that time is over when the method ends. Under a lock that an
     * outer call has taken, the outer call decides.
     */
    boolean[] awaitRelease() default {};

    /**
     * How the lock is held. Not set: {@link LockMode#EXCLUSIVE}. A method that runs under a shared lock cannot call a
     * method that wants the same lock exclusively: that call fails with an {@link IllegalStateException}, because it
     * would block until its wait ends.
     */
    LockMode[] mode() default {};

    /**
     * What to do when the wait is over. Not set: {@link OnTimeout#THROW}. An annotation may have one of {@link
     * OnTimeout#SKIP}, {@link #fallbackMethod()} and {@link #timeoutException()}. If the annotation of a method has one
     * of these, those of the annotation of the class are ignored.
     */
    OnTimeout onTimeout() default OnTimeout.DEFAULT;

    /**
     * The name of a fallback method of the same class. When the wait is over, the fallback is called instead of the
     * locked method, without a lock. It has the same result and parameters, and may take a {@link
     * io.dynamolock.LockTimeoutException} as an additional last parameter. It is called on the object itself, so
     * annotations on it have no effect. Not set: none.
     */
    String fallbackMethod() default "";

    /**
     * The exception that is thrown when the wait is over. If it has a constructor with a message and a cause, it gets
     * the message of the {@link io.dynamolock.LockTimeoutException}, and that exception as its cause. Not set: the
     * {@code LockTimeoutException} itself.
     */
    Class<? extends RuntimeException> timeoutException() default LockTimeoutException.class;

    /** What to do when the lock is lost while the method runs. Not set: {@link OnLost#THROW}. */
    OnLost onLost() default OnLost.DEFAULT;

    /** The container of several annotations on one method, which the compiler adds. */
    @Target({ElementType.METHOD, ElementType.TYPE})
    @Retention(RetentionPolicy.RUNTIME)
    @Documented
    @interface Several {

        /** The annotations. */
        DynamoLocked[] value();
    }
}
