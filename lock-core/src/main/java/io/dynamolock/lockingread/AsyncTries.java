package io.dynamolock.lockingread;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The tries of one caller to lock one item, without a thread that waits. When the future is cancelled, no further try
 * is made, and an item that is locked by the try under way is released.
 */
final class AsyncTries<T> {

    private final Locking<T> locking;
    private final AsyncCalls calls;
    private final LockTries tries;
    private final Supplier<CompletableFuture<?>> beforeEachTry;
    private final CompletableFuture<AsyncLockedItem<T>> result = new CompletableFuture<>();

    private AsyncTries(
            Locking<T> locking, AsyncCalls calls, LockTries tries, Supplier<CompletableFuture<?>> beforeEachTry) {
        this.locking = locking;
        this.calls = calls;
        this.tries = tries;
        this.beforeEachTry = beforeEachTry;
    }

    static <T> CompletableFuture<AsyncLockedItem<T>> start(
            Locking<T> locking, AsyncCalls calls, LockTries tries, Supplier<CompletableFuture<?>> beforeEachTry) {
        AsyncTries<T> started = new AsyncTries<>(locking, calls, tries, beforeEachTry);
        started.next();
        return started.result;
    }

    private void next() {
        if (result.isDone()) {
            return;
        }
        beforeEachTry.get().thenCompose(ready -> calls.make(tries.next())).whenComplete(this::ended);
    }

    private void ended(@Nullable Outcome outcome, @Nullable Throwable failure) {
        if (failure != null) {
            result.completeExceptionally(Failures.unwrap(failure));
        } else if (outcome instanceof Outcome.Granted granted) {
            granted(granted.grant());
        } else if (outcome instanceof Outcome.GaveUp gaveUp) {
            result.completeExceptionally(gaveUp.busy());
        } else if (outcome instanceof Outcome.Pause pause) {
            pause(pause.length());
        }
    }

    private void pause(Duration length) {
        locking.surroundings()
                .pauses()
                .after(length)
                .thenRunAsync(this::next, locking.surroundings().executor());
    }

    private void granted(Grant grant) {
        AsyncLockedItem<T> item;
        try {
            item = new AsyncLockedItem<>(locking.hold(grant), calls);
        } catch (RuntimeException unreadable) {
            calls.make(tries.withdraw()).whenComplete((released, failure) -> result.completeExceptionally(unreadable));
            return;
        }
        if (!result.complete(item)) {
            item.release();
        }
    }
}
