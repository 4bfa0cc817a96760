package io.dynamolock.internal;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRequest;
import io.dynamolock.LockTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One call for several locks, all or none. Each is waited for by callers that hold only locks before it in one order, so the
 * caller that holds the last lock of them all waits for nobody, and in its turn every caller goes on. Thread-safe.
 */
public final class SeveralLocks {

    private final SeveralRequests wanted;
    private final Executor tellers;
    private final Function<LockRequest, CompletableFuture<LockHandle>> asking;
    private final CompletableFuture<List<LockHandle>> answer = new CompletableFuture<>();

    /** Touched by one answer after the other. */
    private final List<LockHandle> held = new ArrayList<>();

    private volatile @Nullable CompletableFuture<LockHandle> asked;

    private SeveralLocks(
            SeveralRequests wanted, Executor tellers, Function<LockRequest, CompletableFuture<LockHandle>> asking) {
        this.wanted = wanted;
        this.tellers = tellers;
        this.asking = asking;
    }

    /**
     * @param tellers completes the future
     * @param asking asks for one lock, and leaves its data alone
     */
    public static CompletableFuture<List<LockHandle>> acquire(
            SeveralRequests wanted, Executor tellers, Function<LockRequest, CompletableFuture<LockHandle>> asking) {
        SeveralLocks begun = new SeveralLocks(wanted, tellers, asking);
        begun.answer.whenComplete((handles, failure) -> begun.stopAsking());
        Futures.of(begun::takeRest)
                .thenCompose(all -> begun.writeData())
                .thenRunAsync(() -> wanted.begin(begun.held), tellers)
                .whenComplete((done, failure) -> begun.end(failure));
        return begun.answer;
    }

    private CompletableFuture<Void> takeRest() {
        if (held.size() == wanted.size()) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<LockHandle> next = asking.apply(wanted.toAsk(held.size()));
        asked = next;
        if (answer.isDone()) {
            stopAsking();
        }
        return next.thenCompose(handle -> {
            held.add(handle);
            return takeRest();
        });
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
            wanted.get(i)
                    .data()
                    .ifPresent(data -> writes.add(
                            handle instanceof GrantHandle granted
                                    ? granted.startPut(data)
                                    : handle.putDataAsync(data)));
        }
        return CompletableFuture.anyOf(CompletableFuture.allOf(writes.toArray(CompletableFuture[]::new)), answer);
    }

    private void end(@Nullable Throwable failure) {
        if (failure == null && answer.complete(wanted.asRequested(held))) {
            return;
        }
        Throwable cause = failure == null ? new CancellationException() : Futures.unwrap(failure);
        Throwable told = cause instanceof LockTimeoutException last ? Failures.after(wanted.waited(), last) : cause;
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
