package io.dynamolock.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** Another thread that wants the lock: how its action ended, and whether the thread was interrupted in the end. */
final class Rival<T> {

    private final CompletableFuture<T> result = new CompletableFuture<>();
    private final CountDownLatch mayGoOn = new CountDownLatch(1);
    private volatile boolean interruptedAtEnd;
    private volatile boolean paused;
    private final Thread thread;

    /** What a rival does. It may pause in between. */
    interface Action<T> {

        T run(Rival<?> self) throws Exception;
    }

    Rival(Surroundings surroundings, Action<T> action) {
        thread = surroundings.start(() -> run(action));
    }

    static <T> Action<T> doing(Callable<T> action) {
        return self -> action.call();
    }

    private void run(Action<T> action) {
        try {
            T value = action.run(this);
            interruptedAtEnd = Thread.currentThread().isInterrupted();
            result.complete(value);
        } catch (Throwable failure) {
            interruptedAtEnd = Thread.currentThread().isInterrupted();
            result.completeExceptionally(failure);
        }
    }

    /** Called by the rival's own action: blocks until {@link #goOn}. */
    void pause() throws InterruptedException {
        paused = true;
        mayGoOn.await();
    }

    boolean isPaused() {
        return paused;
    }

    void goOn() {
        mayGoOn.countDown();
    }

    /** The result of the action, which must not fail. */
    void goOnToTheEnd() throws Exception {
        goOn();
        assertThat(value()).isEqualTo(true);
    }

    void interrupt() {
        thread.interrupt();
    }

    boolean isBlocked() {
        return thread.getState() == Thread.State.WAITING;
    }

    boolean isDone() {
        return result.isDone();
    }

    T value() throws Exception {
        return result.get(LockContract.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    Throwable failure() throws Exception {
        try {
            T value = value();
            throw new AssertionError("it did not fail, but returned " + value);
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }

    /** The action must end by an interrupt, and only the exception may tell of that: the flag is cleared. */
    void assertEndedByInterrupt() throws Exception {
        assertThat(failure()).isInstanceOf(InterruptedException.class);
        assertThat(wasInterruptedAtEnd()).isFalse();
    }

    boolean wasInterruptedAtEnd() throws Exception {
        result.handle((value, failure) -> true).get(LockContract.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        return interruptedAtEnd;
    }
}
