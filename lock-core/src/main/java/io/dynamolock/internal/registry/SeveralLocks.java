package io.dynamolock.internal.registry;

import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import io.dynamolock.LockRequest;
import io.dynamolock.LockTimeoutException;
import io.dynamolock.internal.engine.Grant;
import io.dynamolock.internal.engine.LossReason;
import io.dynamolock.internal.handles.Failures;
import io.dynamolock.internal.handles.GrantHandle;
import io.dynamolock.internal.handles.Requests;
import io.dynamolock.internal.threads.Futures;
import io.dynamolock.internal.time.Moment;
import io.dynamolock.internal.time.TimeSource;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * One call for several locks: it gets all of them or none. All calls take locks in the same order, so that callers
 * never wait for each other in a circle. The order compares bytes of UTF-8, so that clients in other languages can use
 * the same order. All waits count from the construction of this object. Thread-safe.
 */
public final class SeveralLocks {

    private static final Comparator<LockRequest> ORDER = Comparator.comparing(
                    (LockRequest request) -> request.namespace().getBytes(StandardCharsets.UTF_8),
                    Arrays::compareUnsigned)
            .thenComparing(request -> request.key().getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

    private final List<LockRequest> requests;
    private final List<LockRequest> inOrder;
    private final Duration wait;
    private final TimeSource time;
    /** When the call began. */
    private final Moment began;

    private final Executor executor;
    private final BiFunction<LockRequest, CompletableFuture<Void>, CompletableFuture<LockHandle>> asking;
    private final CompletableFuture<List<LockHandle>> answer = new CompletableFuture<>();

    /**
     * Completes when no further lock is wanted: a lock is lost before the call has all of them, or the answer is
     * complete.
     */
    private final CompletableFuture<Void> notWanted = new CompletableFuture<>();

    /** The locks that were granted so far, in the order in which they are taken. Used by one thread after another. */
    private final List<LockHandle> held = new ArrayList<>();

    /**
     * @param wait the wait of a request that sets none
     * @param executor completes the future
     * @param asking acquires one lock, without writing the data of the request. If it blocks, it must return a
     *     cancelled future as soon as the future that it is given completes
     * @throws IllegalArgumentException if two of the requests are for the same lock
     */
    public SeveralLocks(
            List<LockRequest> requests,
            Duration wait,
            TimeSource time,
            Executor executor,
            BiFunction<LockRequest, CompletableFuture<Void>, CompletableFuture<LockHandle>> asking) {
        this.requests = requests;
        this.inOrder = requests.stream().sorted(ORDER).toList();
        this.wait = wait;
        this.time = time;
        this.began = time.moment();
        this.executor = executor;
        this.asking = asking;
        for (int i = 1; i < inOrder.size(); i++) {
            if (ORDER.compare(inOrder.get(i - 1), inOrder.get(i)) == 0) {
                throw new IllegalArgumentException("The " + Requests.describe(inOrder.get(i))
                        + " is requested twice, and the second request would wait for the first. Request it once.");
            }
        }
    }

    /** Begins the call; to be called once. The future completes with the handles, in the order of the requests. */
    public CompletableFuture<List<LockHandle>> acquire() {
        answer.whenComplete((handles, failure) -> notWanted.complete(null));
        Futures.of(this::takeRest)
                .thenCompose(granted -> writeData())
                .thenRunAsync(this::begin, executor)
                .whenComplete((done, failure) -> end(failure));
        return answer;
    }

    private CompletableFuture<Void> takeRest() {
        if (notWanted.isDone()) {
            return CompletableFuture.failedFuture(new CancellationException());
        }
        if (held.size() == inOrder.size()) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<LockHandle> next = asking.apply(toAsk(inOrder.get(held.size())), notWanted);
        notWanted.thenRun(() -> next.cancel(false));
        return next.thenCompose(handle -> {
            held.add(handle);
            endOnLoss(handle, notWanted);
            return takeRest();
        });
    }

    /**
     * Ends the call as soon as the lock is lost. Static, because the grant keeps the callback longer than the call
     * lasts, and must not refer to handles.
     */
    private static void endOnLoss(LockHandle handle, CompletableFuture<Void> notWanted) {
        if (handle instanceof GrantHandle granted) {
            Grant grant = granted.grant();
            grant.onLost(() -> {
                // A closing registry ends the wait itself, and says why.
                if (!grant.loss().equals(Optional.of(LossReason.CLOSED))) {
                    notWanted.complete(null);
                }
            });
        } else {
            handle.onLost(() -> notWanted.complete(null));
        }
    }

    /**
     * The request with what is left of its wait, and without its shortest hold, which counts only once all locks are
     * held.
     */
    private LockRequest toAsk(LockRequest request) {
        Duration rest = request.waitTime().orElse(wait).minus(waited());
        return request.holdAtLeast(Duration.ZERO).waitTime(rest.isNegative() ? Duration.ZERO : rest);
    }

    /** How long the call has lasted so far. */
    private Duration waited() {
        return time.moment().since(began);
    }

    /**
     * Writes the data of all requests. Completes early if nobody wants the locks any more or one of them is lost,
     * because the writes can take as long as the locks are valid.
     */
    private CompletableFuture<?> writeData() {
        List<CompletableFuture<Void>> writes = new ArrayList<>(0);
        for (int i = 0; i < held.size(); i++) {
            LockHandle handle = held.get(i);
            inOrder.get(i)
                    .data()
                    .ifPresent(data -> writes.add(
                            handle instanceof GrantHandle granted
                                    ? granted.startPut(data)
                                    : handle.putDataAsync(data)));
        }
        return CompletableFuture.anyOf(CompletableFuture.allOf(writes.toArray(CompletableFuture[]::new)), notWanted);
    }

    /**
     * All locks are held and their data is written: the caller goes on.
     *
     * @throws LockLostException if one of them is lost
     */
    private void begin() {
        held.forEach(LockHandle::ensureValid);
        for (int i = 0; i < held.size(); i++) {
            inOrder.get(i).holdAtLeast().ifPresent(held.get(i)::setHoldAtLeast);
        }
    }

    private void end(@Nullable Throwable failure) {
        if (failure == null
                && answer.complete(requests.stream()
                        .map(request -> held.get(inOrder.indexOf(request)))
                        .toList())) {
            return;
        }
        Throwable cause = failure == null ? new CancellationException() : Futures.unwrap(failure);
        Throwable told = told(cause);
        giveBack().whenCompleteAsync((released, never) -> answer.completeExceptionally(told), executor);
    }

    /** What the caller is told after this failure. */
    private Throwable told(Throwable failure) {
        if (failure instanceof LockTimeoutException last) {
            return Failures.after(waited(), last);
        }
        if (failure instanceof CancellationException) {
            try {
                held.forEach(LockHandle::ensureValid);
            } catch (LockLostException loss) {
                return loss;
            }
        }
        return failure;
    }

    /** Releases all locks that were granted, without their shortest holds: nothing has run under them. */
    private CompletableFuture<Void> giveBack() {
        CompletableFuture<?>[] releases = new CompletableFuture<?>[held.size()];
        for (int i = held.size() - 1; i >= 0; i--) {
            LockHandle handle = held.get(i);
            releases[i] = handle instanceof GrantHandle granted ? granted.giveBack() : handle.releaseAsync();
        }
        return CompletableFuture.allOf(releases);
    }
}
