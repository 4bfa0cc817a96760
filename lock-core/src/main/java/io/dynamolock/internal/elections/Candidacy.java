package io.dynamolock.internal.elections;

import io.dynamolock.LeaderElection;
import io.dynamolock.LeaderElection.Leadership;
import io.dynamolock.LeaderListener;
import io.dynamolock.LockClosedException;
import io.dynamolock.LockHandle;
import io.dynamolock.LockRequest;
import io.dynamolock.internal.handles.GrantHandle;
import io.dynamolock.internal.text.SafeFailure;
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
 * One candidate for leadership: it waits for the election's lock, holds it, or pauses between the two. Everything that
 * happens to the candidate is a step, and steps run one after the other. The listener is called within steps: so its
 * calls come one at a time, and a loss during a call is told after that call. Fields that are neither final nor
 * volatile belong to the steps.
 */
final class Candidacy implements LeaderElection {

    private static final Logger log = LoggerFactory.getLogger(Candidacy.class);

    private final LockRequest request;
    private final LeaderListener listener;
    private final Function<LockRequest, CompletableFuture<LockHandle>> locks;
    private final ElectionPauses pauses;
    private final Executor callbacks;
    /** Set once, when the candidacy is to end. */
    private final AtomicBoolean closing = new AtomicBoolean();

    /** Whether the registry is paused, or about to be: then the candidate resigns and does not stand again. */
    private volatile boolean paused;

    /** See {@link #ended()}. */
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    /** The present term; {@code null} while the candidate does not lead. Written by steps. */
    private volatile @Nullable Term term;

    /** The acquisition under way; null if there is none. */
    private @Nullable CompletableFuture<LockHandle> asked;

    /** Whether a release is under way. The step that follows it decides what comes next. */
    private boolean releasing;

    /** Whether the candidate stays out of the queue because of a pause, and enters it when the pause is over. */
    private boolean resting;

    /** How many failures there were in a row, of the store or of the listener's {@code granted}. */
    private int failures;

    private final Object stepsInOrder = new Object();

    /** The first step, which {@link #start()} runs. All others come after it. */
    private final CompletableFuture<Void> firstStep = new CompletableFuture<>();

    /** The last of all steps that were handed in. Guarded by {@link #stepsInOrder}. */
    private CompletableFuture<Void> lastStep = firstStep;

    /** The thread that runs a step now; null between steps. */
    private volatile @Nullable Thread stepping;

    /**
     * One term of office.
     *
     * @param givenUp whether the leader is to resign or has resigned: then the term is not valid, although the lock is
     *     held
     */
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

    /**
     * As {@link #closeAsync()}, but completes when the listener was told, and does not wait for the lock to be given
     * back.
     */
    CompletableFuture<Void> closeForRegistry() {
        closeAsync();
        return step(() -> {});
    }

    /**
     * Gives up the leadership, and does not stand again before {@link #resume()}. Completes when the listener was told.
     */
    CompletableFuture<Void> pause() {
        paused = true;
        Term present = term;
        if (present != null) {
            present.givenUp.set(true);
        }
        // A step even without a term: its future must complete after a step that is just telling the listener.
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

    /** Whether the calling thread runs a callback of this candidacy; it must not wait for itself. */
    boolean isInCallback() {
        return stepping == Thread.currentThread();
    }

    /**
     * Enters the queue on the calling thread, so that candidates enter it in the order in which they are started. To be
     * called once.
     */
    void start() {
        run(this::seek);
        firstStep.complete(null);
    }

    /** Runs the step after all earlier steps. Returns at once, unless the executor runs tasks in the calling thread. */
    private CompletableFuture<Void> step(Runnable step) {
        synchronized (stepsInOrder) {
            // Runs the step even if the executor did not take the step before.
            lastStep = lastStep.whenCompleteAsync((done, failure) -> run(step), callbacks);
            return lastStep;
        }
    }

    private void run(Runnable step) {
        stepping = Thread.currentThread();
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            log.error(
                    "A step of a leader election failed; this is a bug in DynamoLock, please report it",
                    SafeFailure.of(e));
        } finally {
            stepping = null;
        }
    }

    // Steps

    /** Enters the queue. Ends the candidacy instead if it is to end. */
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
                    "The election of {} could not go on, and will be tried again: {}",
                    SafeText.quote(name()),
                    SafeText.clean(String.valueOf(failure), SafeFailure.MOST));
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
        // On the grant, not on the handle: the engine keeps the grant, and the grant keeps this candidacy. So a leader
        // hears of its loss even if its user keeps no reference to the election.
        ((GrantHandle) handle).grant().onLost(() -> step(() -> lost(begun)));
        term = begun;
        if (closing.get() || paused || !handle.isValid()) {
            // The grant came too late, or is lost already. The listener has not been told of the term, and never is.
            term = null;
            release(handle, this::seek);
            return;
        }
        try {
            listener.granted(begun);
            failures = 0;
        } catch (Throwable e) {
            log.error(
                    "The leader of {} could not start, and gives up the leadership",
                    SafeText.quote(name()),
                    SafeFailure.of(e));
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

    /** Tells the listener that the term is over, and releases the lock after that, so that others can lead. */
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
            log.error(
                    "The former leader of {} failed when it was told to stop",
                    SafeText.quote(name()),
                    SafeFailure.of(e));
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
            // The cancellation fails the acquisition, and the step after it ends this candidacy. If the lock is granted
            // at this moment, it is given back without a word to the listener.
            waiting.cancel(true);
        } else if (!releasing) {
            ended.complete(null);
        }
    }

    /** Completes when the candidacy is over: the lock is given back, and the listener is not called any more. */
    CompletableFuture<Void> ended() {
        return ended;
    }
}
