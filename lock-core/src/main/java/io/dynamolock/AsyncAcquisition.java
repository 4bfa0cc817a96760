package io.dynamolock;

import io.dynamolock.internal.engine.AcquireOutcome;
import io.dynamolock.internal.engine.Acquisition;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

/** The future of a handle: one that its user no longer wants gives the lock back. */
final class AsyncAcquisition {

    private final CompletableFuture<LockHandle> result = new CompletableFuture<>();
    private final Acquisition acquisition;
    private final LockRequest request;
    private final FollowedCaller caller;
    private final Function<AcquireOutcome, GrantHandle> handles;
    private final Executor async;

    private AsyncAcquisition(
            Acquisition acquisition,
            LockRequest request,
            FollowedCaller caller,
            Function<AcquireOutcome, GrantHandle> handles,
            Executor async) {
        this.acquisition = acquisition;
        this.caller = caller;
        this.request = request;
        this.handles = handles;
        this.async = async;
    }

    /**
     * @param handles makes the handle, or throws what says why there is none
     * @param async completes the future
     */
    static CompletableFuture<LockHandle> begin(
            Acquisition acquisition,
            LockRequest request,
            FollowedCaller caller,
            Function<AcquireOutcome, GrantHandle> handles,
            Executor async) {
        AsyncAcquisition begun = new AsyncAcquisition(acquisition, request, caller, handles, async);
        CompletableFuture<AcquireOutcome> outcome = acquisition.outcome();
        begun.result.whenComplete((handle, failure) -> {
            // Cancelled, or completed by somebody else. Without effect where the acquisition itself has failed.
            if (failure != null || !outcome.isDone()) {
                acquisition.abandon();
            }
        });
        outcome.thenAcceptAsync(begun::settle, async);
        return begun.result;
    }

    private void settle(AcquireOutcome outcome) {
        caller.answered(outcome, acquisition);
        if (outcome instanceof AcquireOutcome.Granted granted && result.isDone()) {
            granted.grant().giveBack();
            caller.ended(true);
            return;
        }
        try {
            DataAtGrant.complete(result, request, handles.apply(outcome), async);
        } catch (LockException | IllegalStateException e) {
            result.completeExceptionally(e);
        }
    }
}
