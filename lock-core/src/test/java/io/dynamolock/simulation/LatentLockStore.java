package io.dynamolock.simulation;

import io.dynamolock.store.LockStore;
import io.dynamolock.store.testing.InterceptedLockStore;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** A store that takes virtual time to reach and to answer. */
public final class LatentLockStore extends InterceptedLockStore {

    private final VirtualTime time;
    private final Supplier<Duration> oneWay;

    public LatentLockStore(LockStore store, VirtualTime time, Supplier<Duration> oneWay) {
        super(store);
        this.time = time;
        this.oneWay = oneWay;
    }

    @Override
    protected <T> CompletionStage<T> intercept(StoreOperation operation, Supplier<CompletionStage<T>> call) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        time.schedule(
                () -> call.get()
                        .whenComplete((value, error) -> time.schedule(
                                () -> {
                                    if (error == null) {
                                        answer.complete(value);
                                    } else {
                                        answer.completeExceptionally(error);
                                    }
                                },
                                oneWay.get())),
                oneWay.get());
        return answer;
    }
}
