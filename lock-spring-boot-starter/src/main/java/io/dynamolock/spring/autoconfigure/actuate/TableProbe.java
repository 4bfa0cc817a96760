package io.dynamolock.spring.autoconfigure.actuate;

import io.dynamolock.LockRegistry;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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
    private final Executor asking;
    private final Executor later;
    private final Duration patience;

    private @Nullable CompletableFuture<Answer> latest;
    private @Nullable Answer known;
    private boolean isFresh;

    /**
     * @param asking runs what blocks for an answer
     * @param later runs what it is given when an answer is too old
     * @param patience how long a question waits for the answer
     */
    TableProbe(LockRegistry locks, Executor asking, Executor later, Duration patience) {
        this.locks = locks;
        this.asking = asking;
        this.later = later;
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
        synchronized (this) {
            return Optional.ofNullable(known);
        }
    }

    private CompletableFuture<Answer> current() {
        CompletableFuture<Answer> asked;
        synchronized (this) {
            if (latest != null && (isFresh || !latest.isDone())) {
                return latest;
            }
            asked = new CompletableFuture<>();
            latest = asked;
            isFresh = true;
        }
        try {
            asking.execute(() -> ask(asked));
        } catch (RuntimeException | Error noThread) {
            end(asked, new Answer(noThread, null));
        }
        return asked;
    }

    private void ask(CompletableFuture<Answer> asked) {
        Answer answer;
        try {
            locks.admin().inspect(KEY, NAMESPACE);
            answer = new Answer(null, locks.admin().clockProblem().orElse(null));
        } catch (UnsupportedOperationException noTable) {
            // As that of a test which locks nothing.
            answer = new Answer(null, null);
        } catch (Throwable failure) {
            answer = new Answer(failure, null);
        }
        end(asked, answer);
    }

    private void end(CompletableFuture<Answer> asked, Answer answer) {
        synchronized (this) {
            known = answer;
        }
        asked.complete(answer);
        later.execute(this::grewOld);
    }

    private synchronized void grewOld() {
        isFresh = false;
    }
}
