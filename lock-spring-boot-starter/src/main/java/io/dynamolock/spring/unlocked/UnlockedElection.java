package io.dynamolock.spring.unlocked;

import io.dynamolock.LeaderElection;
import io.dynamolock.LeaderListener;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A candidate without rivals, which leads from the start until it is closed. Beginning a term and ending a term are
 * steps. The steps of one election run one after the other, on {@code callbacks}, and only steps call the listener.
 * Thread-safe.
 */
final class UnlockedElection implements LeaderElection {

    private static final Logger LOG = LoggerFactory.getLogger(UnlockedElection.class);

    private static final Duration VALIDITY = Duration.ofDays(1);

    /** The pause after the first failure. It doubles with each further failure in a row. */
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);

    /** How often the pause doubles: up to 12.8 seconds. */
    private static final int MOST_DOUBLINGS = 7;

    private final String name;
    private final LeaderListener listener;
    private final LongSupplier tokens;
    private final Executor callbacks;
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    /** The latest term; null before the first. Set by each step that begins a term. */
    private volatile @Nullable Term term;
    /** The thread that runs a step now; null between steps. */
    private volatile @Nullable Thread stepping;
    /** Number of times in a row that the listener could not start. Reset when it starts. Only steps use it. */
    private int failures;

    private final Object stepsInOrder = new Object();
    /** The latest step, which the next step waits for. Guarded by {@link #stepsInOrder}. */
    private CompletableFuture<Void> lastStep = CompletableFuture.completedFuture(null);

    /**
     * @param tokens gives each term its fencing token
     * @param callbacks runs the listener
     */
    UnlockedElection(String name, LeaderListener listener, LongSupplier tokens, Executor callbacks) {
        this.name = name;
        this.listener = listener;
        this.tokens = tokens;
        this.callbacks = callbacks;
    }

    /** One term as the leader, from the grant until the candidate yields or is closed. */
    private static final class Term implements Leadership {

        private final String name;
        private final long fencingToken;
        /** Set once, as soon as the leadership is given up, before the listener is told. */
        private final AtomicBoolean over = new AtomicBoolean();
        /** Whether the listener was told that the term is over. Set once. Only steps use it. */
        private boolean told;

        Term(String name, long fencingToken) {
            this.name = name;
            this.fencingToken = fencingToken;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public long fencingToken() {
            return fencingToken;
        }

        @Override
        public boolean isValid() {
            return !over.get();
        }

        @Override
        public Duration remainingValidity() {
            return isValid() ? VALIDITY : Duration.ZERO;
        }

        @Override
        public String toString() {
            return "Leadership[name=" + name + ", fencingToken=" + fencingToken + ", valid=" + isValid()
                    + ", unlocked]";
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean isLeader() {
        return leadership().isPresent();
    }

    @Override
    public Optional<Leadership> leadership() {
        return Optional.<Leadership>ofNullable(term).filter(Leadership::isValid);
    }

    @Override
    public void yield() {
        Term present = term;
        if (present != null && present.over.compareAndSet(false, true)) {
            step(() -> {
                resign(present);
                lead();
            });
        }
    }

    @Override
    public CompletableFuture<Void> closeAsync() {
        if (closing.compareAndSet(false, true)) {
            Term present = term;
            if (present != null) {
                present.over.set(true);
            }
            step(() -> {
                // Another term may have begun meanwhile.
                Term last = term;
                if (last != null) {
                    resign(last);
                }
                ended.complete(null);
            });
        }
        return ended.copy();
    }

    @Override
    public void close() {
        CompletableFuture<Void> end = closeAsync();
        if (isInCallback()) {
            return;
        }
        try {
            end.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a closing never completes exceptionally", e);
        }
    }

    void start() {
        step(this::lead);
    }

    /** Completes when the last step of a closed candidate is done. */
    CompletableFuture<Void> ended() {
        return ended;
    }

    /** Whether the calling thread runs a callback of this election. Such a thread must not wait for the election. */
    boolean isInCallback() {
        return stepping == Thread.currentThread();
    }

    private void step(Runnable step) {
        synchronized (stepsInOrder) {
            // whenComplete, so that the step also runs after a step that the executor has rejected.
            lastStep = lastStep.whenCompleteAsync((done, failure) -> run(step), callbacks);
        }
    }

    private void run(Runnable step) {
        stepping = Thread.currentThread();
        try {
            step.run();
        } finally {
            stepping = null;
        }
    }

    // Steps

    private void lead() {
        if (closing.get()) {
            return;
        }
        Term newTerm = new Term(name, tokens.getAsLong());
        term = newTerm;
        try {
            listener.granted(newTerm);
            failures = 0;
        } catch (Throwable e) {
            LOG.error("The leader of {} could not start, and gives up the leadership", name, e);
            // If the listener has yielded before it failed, the step of the yield begins the next term.
            if (newTerm.over.compareAndSet(false, true)) {
                resign(newTerm);
                leadAfterAPause();
            }
        }
    }

    private void leadAfterAPause() {
        long millis = FIRST_PAUSE.toMillis() << Math.min(failures, MOST_DOUBLINGS);
        failures++;
        CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS, callbacks)
                .execute(() -> step(this::lead));
    }

    private void resign(Term over) {
        over.over.set(true);
        if (over.told) {
            return;
        }
        over.told = true;
        try {
            listener.resigned(over);
        } catch (Throwable e) {
            LOG.error("The former leader of {} failed when it was told to stop", name, e);
        }
    }
}
