package io.dynamolock.internal.registry;

import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import io.dynamolock.LockRequest;
import io.dynamolock.LockTimeoutException;
import io.dynamolock.internal.engine.TimeSource;
import io.dynamolock.internal.handles.Failures;
import io.dynamolock.internal.handles.GrantHandle;
import io.dynamolock.internal.handles.Requests;
import io.dynamolock.internal.text.LockNames;
import io.dynamolock.internal.threads.Futures;
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
 * One call for several locks, all or none. Each is waited for by callers that hold only locks before it in one order, so the
 * caller that holds the last lock of them all waits for nobody, and in its turn every caller goes on. That order is the one of the
 * bytes, so that a process in another language has the same. All waits count from the making of this object. Thread-safe.
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
    private final long began;
    private final Executor tellers;
    private final Function<LockRequest, CompletableFuture<LockHandle>> asking;
    private final CompletableFuture<List<LockHandle>> answer = new CompletableFuture<>();

    /** Touched by one answer after the other. */
    private final List<LockHandle> held = new ArrayList<>();

    private volatile @Nullable CompletableFuture<LockHandle> asked;

    /**
     * @param wait how long a request waits that says nothing of it
     * @param tellers completes the future
     * @param asking asks for one lock, and leaves its data alone
     * @throws IllegalArgumentException if two of the requests are for the same lock
     */
    public SeveralLocks(
            List<LockRequest> requests,
            Duration wait,
            TimeSource time,
            Executor tellers,
            Function<LockRequest, CompletableFuture<LockHandle>> asking) {
        this.requests = requests;
        this.inOrder = requests.stream().sorted(ORDER).toList();
        this.wait = wait;
        this.time = time;
        this.began = time.nanos();
        this.tellers = tellers;
        this.asking = asking;
        for (int i = 1; i < inOrder.size(); i++) {
            if (ORDER.compare(inOrder.get(i - 1), inOrder.get(i)) == 0) {
                throw new IllegalArgumentException("The " + LockNames.describe(Requests.key(inOrder.get(i)))
                        + " is requested twice, and the second request would wait for the first. Request it once.");
            }
        }
    }

    /** To be called once. Completes with the handles in the order of the requests. */
    public CompletableFuture<List<LockHandle>> acquire() {
        answer.whenComplete((handles, failure) -> stopAsking());
        Futures.of(this::takeRest)
                .thenCompose(all -> writeData())
                .thenRunAsync(this::begin, tellers)
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
     * With what is left of its wait. Its data is written, and it is held for its shortest time, once all locks are held.
     */
    private LockRequest toAsk(LockRequest request) {
        Duration rest = request.waitTime().orElse(wait).minus(waited());
        return request.holdAtLeast(Duration.ZERO).waitTime(rest.isNegative() ? Duration.ZERO : rest);
    }

    /** How long the call lasts already. */
    private Duration waited() {
        return Duration.ofNanos(time.nanos() - began);
    }

    /** Nobody wants the locks any more, or all are held. */
    private void stopAsking() {
        CompletableFuture<LockHandle> underWay = asked;
        if (underWay != null) {
            underWay.cancel(false);
        }
    }

    /** Ends early if nobody wants the locks any more: it may take as long as they are valid. */
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
     * All locks are held: their caller goes on.
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
        giveBack().whenCompleteAsync((released, never) -> answer.completeExceptionally(told), tellers);
    }

    /** Nothing has run under them. */
    private CompletableFuture<Void> giveBack() {
        CompletableFuture<?>[] releases = new CompletableFuture<?>[held.size()];
        for (int i = held.size() - 1; i >= 0; i--) {
            LockHandle handle = held.get(i);
            releases[i] = handle instanceof GrantHandle granted ? granted.giveBack() : handle.releaseAsync();
        }
        return CompletableFuture.allOf(releases);
    }
}
