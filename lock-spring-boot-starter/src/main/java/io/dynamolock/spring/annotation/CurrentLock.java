package io.dynamolock.spring.annotation;

import io.dynamolock.LockHandle;
import io.dynamolock.LockSnapshot;
import io.dynamolock.spring.internal.CurrentHandle;
import io.dynamolock.spring.internal.EnteredMethod;
import java.util.List;
import java.util.Optional;
import reactor.util.context.ContextView;

/**
 * The lock under which a method with {@link DynamoLocked} runs, for the method itself and the code that it calls.
 *
 * <pre>{@code
 * @DynamoLocked(key = "#id")
 * public void ship(String id) {
 *     store.save(id, CurrentLock.get().handle().fencingToken());
 * }
 * }</pre>
 *
 * <p>{@link #get()} and {@link #all()} see only the locked methods of the calling thread, not those of a thread that
 * has handed work to it. In a method that returns a future or a stream, both work until the method returns; in a
 * suspending function of Kotlin, on whatever thread it runs. The objects are thread-safe.
 */
public final class CurrentLock {

    private static final StackWalker STACK = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    private final CurrentHandle entered;

    private CurrentLock(CurrentHandle entered) {
        this.entered = entered;
    }

    /**
     * The lock of the innermost locked method that this thread runs.
     *
     * @throws IllegalStateException if there is no lock, because no locked method runs or its condition was false, or
     *     if the method has several locks
     */
    public static CurrentLock get() {
        return only(all(), "This thread");
    }

    private static CurrentLock only(List<CurrentLock> all, String who) {
        if (all.size() == 1) {
            return all.get(0);
        }
        throw new IllegalStateException(
                all.isEmpty()
                        ? who + " runs no method under @DynamoLocked, or one whose condition did not hold, so there is"
                                + " no current lock. A call within the same object passes no proxy and takes no lock."
                        : who + " runs a method that has " + all.size() + " locks. Take them from CurrentLock.all().");
    }

    /**
     * The locks of the innermost locked method that this thread runs, in the order in which its annotations and their
     * keys name them; empty if no locked method runs, or its condition was false.
     */
    public static List<CurrentLock> all() {
        return CurrentHandle.ofThread().stream().map(CurrentLock::new).toList();
    }

    /**
     * As {@link #get()}, for a stream, whose work is bound to no thread: the lock of the innermost locked method that
     * this subscriber runs. In a suspending function of Kotlin, {@code ReactorContext} has the context.
     *
     * <pre>{@code
     * Mono.deferContextual(context -> save(order, CurrentLock.of(context).handle().fencingToken()))
     * }</pre>
     *
     * @throws IllegalStateException as {@link #get()}
     */
    public static CurrentLock of(ContextView context) {
        return only(allOf(context), "This subscriber");
    }

    /** As {@link #all()}, for a stream: the locks of the innermost locked method that this subscriber runs. */
    public static List<CurrentLock> allOf(ContextView context) {
        Optional<List<CurrentHandle>> entered = context.getOrEmpty(CurrentHandle.CONTEXT_KEY);
        return entered.orElse(List.of()).stream().map(CurrentLock::new).toList();
    }

    /**
     * Checks that the calling method, which has {@link DynamoLocked}, was entered through the aspect. If a method calls
     * this at its beginning, a call that bypasses the proxy, such as a call within the same object, fails instead of
     * running without the lock.
     *
     * <pre>{@code
     * @DynamoLocked(key = "#id")
     * public void ship(String id) {
     *     CurrentLock.required();
     *     ...
     * }
     * }</pre>
     *
     * <p>Passes if the method's {@link DynamoLocked#condition()} was false, and in the body of a method that a locked
     * one overrides and calls by {@code super}. In a suspending function of Kotlin, works on whatever thread. Does not
     * pass in a lambda, in work that goes on after the method has returned, or in an object that is no bean. With
     * {@code dynamolock.enabled=false}, passes and fails for the same calls as with locks. Costs a look at the stack of
     * the thread, and no call.
     *
     * <p>A method that calls itself without the proxy fails with whatever key: the lock of the outer call need not be
     * that of the inner one. Only a suspending function can hide such a call, by making it in a coroutine on another
     * dispatcher, or by asking only after it was suspended.
     *
     * @throws IllegalStateException if the innermost locked method that this thread has entered is not the calling
     *     method, even if the thread holds other locks, or if that method has called itself without the proxy; the
     *     calling method holds no lock of its own
     */
    public static void required() {
        EnteredMethod entered = CurrentHandle.methodOfThread();
        if (entered == null || !STACK.walk(frames -> entered.isEnteredBy(frames.skip(1)))) {
            StackWalker.StackFrame caller = STACK.walk(frames -> frames.skip(1).findFirst())
                    .orElseThrow(() -> new IllegalStateException("CurrentLock.required() needs a calling method."));
            String called = caller.getDeclaringClass().getSimpleName() + "." + caller.getMethodName();
            throw new IllegalStateException(called + " was entered without the lock of its @DynamoLocked: the call has"
                    + " not passed the proxy, as within the same object. Call it through an injected bean; within the"
                    + " same object, through one of its own type, injected with @Lazy.");
        }
    }

    /**
     * The handle, with the fencing token, the validity, {@code onLost} and more. Do not release it, because the aspect
     * does so: if a method has released the handle, its lock counts as lost.
     */
    public LockHandle handle() {
        return entered.handle();
    }

    /**
     * Reads who holds the lock and who waits for it, as {@link io.dynamolock.LockAdmin#inspect(String, String)} does
     * and at the same cost.
     *
     * @throws io.dynamolock.LockInterruptedException if the thread is interrupted
     * @throws io.dynamolock.LockStoreException if DynamoDB refused or could not be reached; this says nothing about the
     *     lock
     * @throws io.dynamolock.LockClosedException if the registry is closed
     */
    public LockSnapshot inspect() {
        return entered.registry().admin().inspect(handle().key(), handle().namespace());
    }
}
