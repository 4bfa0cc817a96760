package io.dynamolock.internal.registry;

import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import io.dynamolock.LockRequest;
import io.dynamolock.LockTimeoutException;
import io.dynamolock.internal.handles.Failures;
import io.dynamolock.internal.handles.GrantHandle;
import io.dynamolock.internal.handles.Requests;
import io.dynamolock.internal.text.LockNames;
import io.dynamolock.internal.threads.Futures;
import io.dynamolock.internal.time.Moment;
import io.dynamolock.internal.time.TimeSource;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
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
    private final Function<LockRequest, CompletableFuture<LockHandle>> asking;
    private final CompletableFuture<List<LockHandle>> answer = new CompletableFuture<>();

    /** The locks that were granted so far, in the order in which they are taken. Used by one thread after another. */
    private final List<LockHandle> held = new ArrayList<>();

    /** The last acquisition that was begun; {@code null} before the first. */
    private volatile @Nullable CompletableFuture<LockHandle> asked;

    /**
     * @param wait the wait of a request that sets none
     * @param executor completes the future
     * @param asking acquires one lock, without writing the data of the request
     * @throws IllegalArgumentException if two of the requests are for the same lock
     */
    public SeveralLocks(
            List<LockRequest> requests,
            Duration wait,
            TimeSource time,
            Executor executor,
            Function<LockRequest, CompletableFuture<LockHandle>> asking) {
        this.requests = requests;
        this.inOrder = requests.stream().sorted(ORDER).toList();
        this.wait = wait;
        this.time = time;
        this.began = time.moment();
        this.executor = executor;
        this.asking = asking;
        for (int i = 1; i < inOrder.size(); i++) {
            if (ORDER.compare(inOrder.get(i - 1), inOrder.get(i)) == 0) {
                throw new IllegalArgumentException("The " + LockNames.describe(Requests.key(inOrder.get(i)))
                        + " is requested twice, and the second request would wait for the first. Request it once.");
            }
        }
    }

    /** Begins the call; to be called once. The future completes with the handles, in the order of the requests. */
    public CompletableFuture<List<LockHandle>> acquire() {
        answer.whenComplete((handles, failure) -> stopAsking());
        Futures.of(this::takeRest)
                .thenCompose(granted -> writeData())
                .thenRunAsync(this::begin, executor)
                .whenComplete((done, failure) -> end(failure));
        return answer;
    }

    private CompletableFuture<Void> takeRest() {
        if (held.size() == inOrder.size()) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<LockHandle> next = asking.apply(toAsk(inOrder.get(held.size())));
        asked = next;
        if (answer.isDone()) {
            stopAsking();
        }
        return next.thenCompose(handle -> {
            held.add(handle);
            return takeRest();
        });
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

    /** Cancels the acquisition under way, if there is one. Does nothing once all locks are held. */
    private void stopAsking() {
        CompletableFuture<LockHandle> underWay = asked;
        if (underWay != null) {
            underWay.cancel(false);
        }
    }

    /**
     * Writes the data of all requests. Completes early if nobody wants the locks any more, because the writes can take
     * as long as the locks are valid.
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
        return CompletableFuture.anyOf(CompletableFuture.allOf(writes.toArray(CompletableFuture[]::new)), answer);
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
        Throwable told = cause instanceof LockTimeoutException last ? Failures.after(waited(), last) : cause;
        giveBack().whenCompleteAsync((released, never) -> answer.completeExceptionally(told), executor);
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
