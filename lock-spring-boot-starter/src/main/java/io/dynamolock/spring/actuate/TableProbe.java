package io.dynamolock.spring.actuate;

import io.dynamolock.LockRegistry;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether the table answers: asked by one read of a lock that nobody takes, on a thread of its own, and only if the last answer
 * is too old. Whoever wants to know waits for a moment and no longer. Thread-safe.
 */
final class TableProbe {

    private static final String KEY = "health";
    private static final String NAMESPACE = "dynamolock-health";

    /**
     * @param failure null if the table has answered
     * @param clockProblem what is wrong with this machine's clock, if something is
     */
    record Answer(@Nullable Throwable failure, @Nullable String clockProblem) {}

    private final LockRegistry locks;
    private final LongSupplier nanoTime;
    private final Duration interval;
    private final Duration patience;

    private @Nullable CompletableFuture<Answer> latest;
    private long askedAt;
    private volatile @Nullable Answer known;

    /**
     * @param nanoTime as {@link System#nanoTime}
     * @param interval how old an answer may be
     * @param patience how long a question waits for the answer
     */
    TableProbe(LockRegistry locks, LongSupplier nanoTime, Duration interval, Duration patience) {
        this.locks = locks;
        this.nanoTime = nanoTime;
        this.interval = interval;
        this.patience = patience;
    }

    /** The present answer; an older one if that takes too long; empty if there was none yet. */
    Optional<Answer> answer() {
        try {
            return Optional.of(current().get(patience.toNanos(), TimeUnit.NANOSECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException tooLong) {
            // The next one who asks may see it.
        } catch (ExecutionException e) {
            throw new IllegalStateException("a question never completes exceptionally", e);
        }
        return Optional.ofNullable(known);
    }

    private synchronized CompletableFuture<Answer> current() {
        long now = nanoTime.getAsLong();
        if (latest != null && (!latest.isDone() || now - askedAt <= interval.toNanos())) {
            return latest;
        }
        askedAt = now;
        latest = CompletableFuture.supplyAsync(this::ask, TableProbe::onItsOwnThread);
        return latest;
    }

    private static void onItsOwnThread(Runnable question) {
        Thread thread = new Thread(question, "dynamolock-health");
        thread.setDaemon(true);
        thread.start();
    }

    private Answer ask() {
        Answer answer = askTable();
        known = answer;
        return answer;
    }

    private Answer askTable() {
        try {
            locks.inspect(KEY, NAMESPACE);
            return new Answer(null, locks.clockProblem().orElse(null));
        } catch (UnsupportedOperationException noTable) {
            // As that of a test which locks nothing.
            return new Answer(null, null);
        } catch (Throwable failure) {
            return new Answer(failure, null);
        }
    }
}
