package io.dynamolock.spring.actuate;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a question that takes long: asked on a thread of its own, and only if the last answer is too old. Whoever wants
 * to know waits for a moment and no longer. Thread-safe.
 */
final class RecentAnswer<T> {

    private final Supplier<T> question;
    private final LongSupplier nanoTime;
    private final Duration interval;
    private final Duration patience;

    private @Nullable CompletableFuture<T> latest;
    private long askedAt;
    private volatile @Nullable T known;

    /**
     * @param question does not throw
     * @param nanoTime as {@link System#nanoTime}
     * @param interval how old an answer may be
     * @param patience how long to wait for one
     */
    RecentAnswer(Supplier<T> question, LongSupplier nanoTime, Duration interval, Duration patience) {
        this.question = question;
        this.nanoTime = nanoTime;
        this.interval = interval;
        this.patience = patience;
    }

    /** The present answer; an older one if that takes too long; empty if there was none yet. */
    Optional<T> get() {
        try {
            return Optional.of(current().get(patience.toNanos(), TimeUnit.NANOSECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException tooLong) {
            // The next one who asks may see it.
        } catch (ExecutionException e) {
            throw new IllegalStateException("the question never throws", e);
        }
        return Optional.ofNullable(known);
    }

    private synchronized CompletableFuture<T> current() {
        long now = nanoTime.getAsLong();
        if (latest != null && (!latest.isDone() || now - askedAt <= interval.toNanos())) {
            return latest;
        }
        askedAt = now;
        latest = CompletableFuture.supplyAsync(this::ask, RecentAnswer::onItsOwnThread);
        return latest;
    }

    private static void onItsOwnThread(Runnable question) {
        Thread thread = new Thread(question, "dynamolock-health");
        thread.setDaemon(true);
        thread.start();
    }

    private T ask() {
        T answer = question.get();
        known = answer;
        return answer;
    }
}
