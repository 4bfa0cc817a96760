package io.dynamolock.internal.elections;

import io.dynamolock.LeaderElection;
import io.dynamolock.LeaderElection.Leadership;
import io.dynamolock.LeaderListener;
import io.dynamolock.LockClosedException;
import io.dynamolock.LockHandle;
import io.dynamolock.LockRequest;
import io.dynamolock.internal.handles.GrantHandle;
import io.dynamolock.internal.text.SafeText;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One candidate: it waits for a lock, or holds it, or pauses between the two. All that happens to it is a step,
 * one after the other, and the listener is called within such a step; so the calls come one at a time, and a loss that is heard of
 * during a call is told after it.
 */
final class Candidacy implements LeaderElection {

    private static final Logger log = LoggerFactory.getLogger(Candidacy.class);

    private final LockRequest request;
    private final LeaderListener listener;
    private final Function<LockRequest, CompletableFuture<LockHandle>> locks;
    private final ElectionPauses pauses;
    private final Executor callbacks;
    private final AtomicBoolean closing = new AtomicBoolean();
    private volatile boolean paused;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile @Nullable Term term;
    private @Nullable CompletableFuture<LockHandle> asked;
    private boolean releasing;
    /** Whether it stands again when the pause is over. */
    private boolean resting;

    private int failures;
    private final Object stepsInOrder = new Object();
    private CompletableFuture<Void> lastStep = CompletableFuture.allOf();
    /** Runs a step now. */
    private volatile @Nullable Thread stepping;

    /** One time of leading. */
    private record Term(LockHandle handle, AtomicBoolean givenUp) implements Leadership {

        @Override
        public String name() {
            return handle.key();
        }

        @Override
        public long fencingToken() {
            return handle.fencingToken();
        }

        @Override
        public boolean isValid() {
            return !remainingValidity().isZero();
        }

        @Override
        public Duration remainingValidity() {
            return givenUp.get() ? Duration.ZERO : handle.remainingValidity();
        }

        @Override
        public String toString() {
            return "Leadership[name=" + name() + ", fencingToken=" + fencingToken() + ", valid=" + isValid() + "]";
        }
    }

    /**
     * @param locks acquires without blocking
     * @param callbacks runs the listener
     */
    Candidacy(
            LockRequest request,
            LeaderListener listener,
            Function<LockRequest, CompletableFuture<LockHandle>> locks,
            Executor callbacks,
            ElectionPauses pauses) {
        this.request = request;
        this.listener = listener;
        this.locks = locks;
        this.pauses = pauses;
        this.callbacks = callbacks;
    }

    @Override
    public String name() {
        return request.key();
    }

    @Override
    public boolean isLeader() {
        return leadership().isPresent();
    }

    @Override
    public Optional<Leadership> leadership() {
        Term present = term;
        return present != null && present.isValid() ? Optional.of(present) : Optional.empty();
    }

    @Override
    public void yield() {
        Term present = term;
        if (present != null && present.givenUp.compareAndSet(false, true)) {
            step(() -> stepDown(present, this::seek));
        }
    }

    @Override
    public CompletableFuture<Void> closeAsync() {
        if (closing.compareAndSet(false, true)) {
            Term present = term;
            if (present != null) {
                present.givenUp.set(true);
            }
            step(this::end);
        }
        return ended.copy();
    }

    @Override
    public void close() {
        CompletableFuture<Void> done = closeAsync();
        if (isInCallback()) {
            return;
        }
        try {
            done.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a closing never completes exceptionally", e);
        }
    }

    /** Gives up the leadership, and does not stand again before it resumes. Completes when the listener was told. */
    CompletableFuture<Void> pause() {
        paused = true;
        Term present = term;
        if (present != null) {
            present.givenUp.set(true);
        }
        // Also when its listener is being told already that a term is over.
        return step(() -> {
            if (present != null) {
                stepDown(present, this::seek);
            }
        });
    }

    void resume() {
        paused = false;
        step(() -> {
            if (resting) {
                seek();
            }
        });
    }

    /** Whether the calling thread runs a callback of this election, which must not wait for itself. */
    boolean isInCallback() {
        return stepping == Thread.currentThread();
    }

    void start() {
        step(this::seek);
    }

    /** Runs the step after those that came before, never within this call if the executor does not. */
    private CompletableFuture<Void> step(Runnable step) {
        synchronized (stepsInOrder) {
            // Also after one that the executor could not take.
            lastStep = lastStep.whenCompleteAsync((done, failure) -> run(step), callbacks);
            return lastStep;
        }
    }

    private void run(Runnable step) {
        stepping = Thread.currentThread();
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            log.error("A step of a leader election failed; this is a bug in DynamoLock, please report it", e);
        } finally {
            stepping = null;
        }
    }

    // Steps

    /** Enters the queue, unless this candidacy is to end: then it has ended now. */
    private void seek() {
        if (closing.get()) {
            ended.complete(null);
            return;
        }
        resting = paused;
        if (resting) {
            return;
        }
        try {
            asked = locks.apply(request);
        } catch (LockClosedException e) {
            ended.complete(null);
            return;
        }
        asked.whenComplete((handle, failure) -> step(() -> answered(handle, failure)));
    }

    private void answered(@Nullable LockHandle handle, @Nullable Throwable failure) {
        asked = null;
        if (handle != null) {
            lead(handle);
        } else if (closing.get() || failure instanceof LockClosedException) {
            ended.complete(null);
        } else {
            log.warn(
                    "The election of {} could not go on, and will be tried again: {}", SafeText.quote(name()), failure);
            seekAfterAPause();
        }
    }

    private void seekAfterAPause() {
        if (closing.get()) {
            ended.complete(null);
            return;
        }
        failures++;
        pauses.after(failures, () -> step(this::seek));
    }

    private void lead(LockHandle handle) {
        Term begun = new Term(handle, new AtomicBoolean());
        // The engine keeps the grant, and so this candidacy: a leader hears of its loss even if its user keeps nothing.
        ((GrantHandle) handle).grant().onLost(() -> step(() -> lost(begun)));
        term = begun;
        if (closing.get() || paused || !handle.isValid()) {
            // Too late, or lost on the way here: nobody is told of a term that was none.
            term = null;
            release(handle, this::seek);
            return;
        }
        try {
            listener.granted(begun);
            failures = 0;
        } catch (Throwable e) {
            log.error("The leader of {} could not start, and gives up the leadership", SafeText.quote(name()), e);
            begun.givenUp.set(true);
            stepDown(begun, this::seekAfterAPause);
        }
    }

    private void lost(Term over) {
        if (over.equals(term)) {
            term = null;
            tell(over, false);
            seek();
        }
    }

    /** Others may lead once the listener has been told. */
    private void stepDown(Term over, Runnable next) {
        if (over.equals(term)) {
            term = null;
            tell(over, over.handle.isValid());
            release(over.handle, next);
        }
    }

    private void tell(Term over, boolean isResigned) {
        try {
            if (isResigned) {
                listener.resigned(over);
            } else {
                listener.revoked(over);
            }
        } catch (Throwable e) {
            log.error("The former leader of {} failed when it was told to stop", SafeText.quote(name()), e);
        }
    }

    private void release(LockHandle handle, Runnable next) {
        releasing = true;
        handle.releaseAsync()
                .whenComplete((held, failure) -> step(() -> {
                    releasing = false;
                    next.run();
                }));
    }

    private void end() {
        Term present = term;
        CompletableFuture<LockHandle> waiting = asked;
        if (present != null) {
            stepDown(present, this::seek);
        } else if (waiting != null) {
            // That ends this candidacy, unless a lock came first. One that is granted now is given back, and nobody
            // hears of it.
            waiting.cancel(true);
        } else if (!releasing) {
            ended.complete(null);
        }
    }

    /** Completes when nothing happens any more. */
    CompletableFuture<Void> ended() {
        return ended;
    }
}
