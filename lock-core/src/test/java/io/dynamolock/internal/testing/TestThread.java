package io.dynamolock.internal.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** A thread whose end and whose interrupt flag at the end a test can see. */
public final class TestThread<T> {

    private final CompletableFuture<T> result = new CompletableFuture<>();
    private volatile boolean interruptedAtEnd;
    private final Thread thread;

    private TestThread(Callable<T> body) {
        thread = new Thread(() -> {
            T value = null;
            Throwable failure = null;
            try {
                value = body.call();
            } catch (Throwable e) {
                failure = e;
            }
            interruptedAtEnd = Thread.currentThread().isInterrupted();
            if (failure == null) {
                result.complete(value);
            } else {
                result.completeExceptionally(failure);
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    public static <T> TestThread<T> running(Callable<T> body) {
        return new TestThread<>(body);
    }

    /** For what a test is to find stuck. */
    public static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public TestThread<T> untilItWaits() {
        await().until(() ->
                thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING);
        return this;
    }

    public void interrupt() {
        thread.interrupt();
    }

    public boolean isDone() {
        return result.isDone();
    }

    public T value() throws Exception {
        return valueWithin(Duration.ofMinutes(1));
    }

    public T valueWithin(Duration time) throws Exception {
        return result.get(time.toMillis(), TimeUnit.MILLISECONDS);
    }

    public Throwable failure() throws Exception {
        try {
            value();
        } catch (ExecutionException e) {
            return e.getCause();
        }
        throw new AssertionError("it did not fail");
    }

    /** As the thread fails when it is interrupted, which its flag must still tell at its end. */
    public Throwable failureByInterrupt() throws Exception {
        interrupt();
        Throwable failure = failure();
        assertInterruptFlagAtEnd(true);
        return failure;
    }

    public void assertInterruptFlagAtEnd(boolean expected) {
        assertThat(result).isDone();
        assertThat(interruptedAtEnd).isEqualTo(expected);
    }
}
