package io.dynamolock.internal.engine;

import io.dynamolock.internal.loop.EventLoop;
import io.dynamolock.internal.store.StoreFailure;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes calls of one sort to the store; an answer comes back on the event loop, exactly once, in time or as a failure.
 * Bounds the calls under way, each sort by itself, so that a heartbeat never waits behind others in the client's
 * connection pool. Lives on the event loop.
 */
public final class StoreCalls {

    /** @param operation its name, for people */
    private record Call<T>(
            String operation,
            Supplier<CompletionStage<T>> sending,
            Consumer<T> answered,
            Consumer<StoreFailure> failed) {}

    private final EventLoop loop;
    private final EngineListener listener;
    private final int room;
    private final Duration timeout;
    private final Runnable afterEach;
    private final Queue<Call<?>> queued = new ArrayDeque<>();
    private final Set<Call<?>> underWay = Collections.newSetFromMap(new IdentityHashMap<>());

    /**
     * @param room how many calls may be under way
     * @param timeout when an answer must be there, counted from the sending
     * @param afterEach runs after each call that has ended and whose answer was heard
     */
    public StoreCalls(EventLoop loop, EngineListener listener, int room, Duration timeout, Runnable afterEach) {
        this.loop = loop;
        this.listener = listener;
        this.room = room;
        this.timeout = timeout;
        this.afterEach = afterEach;
    }

    /**
     * Sends a call as soon as there is room for it.
     *
     * @param operation its name, for people
     */
    public <T> void send(
            String operation,
            Supplier<CompletionStage<T>> sending,
            Consumer<T> answered,
            Consumer<StoreFailure> failed) {
        queued.add(new Call<>(operation, sending, answered, failed));
        sendQueued();
    }

    /** Whether no call is under way or waits for room. */
    boolean isIdle() {
        return underWay.isEmpty() && queued.isEmpty();
    }

    private void sendQueued() {
        while (underWay.size() < room && !queued.isEmpty()) {
            start(queued.remove());
        }
    }

    private <T> void start(Call<T> call) {
        underWay.add(call);
        EventLoop.Timer timer = loop.schedule(() -> end(call, () -> {}, tooLate(call)), timeout);
        CompletionStage<T> stage;
        try {
            stage = call.sending().get();
        } catch (RuntimeException | Error e) {
            stage = CompletableFuture.failedFuture(e);
        }
        stage.whenComplete((value, error) -> loop.executeAtTheEnd(() -> {
            timer.cancel();
            end(call, () -> call.answered().accept(value), error == null ? null : asFailure(call, error));
        }));
    }

    private StoreFailure tooLate(Call<?> call) {
        return new StoreFailure(
                StoreFailure.Kind.UNAVAILABLE,
                "The store did not answer '" + call.operation() + "' within " + timeout + ": check the network to it",
                null);
    }

    private static StoreFailure asFailure(Call<?> call, Throwable error) {
        Throwable cause = error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
        return cause instanceof StoreFailure failure
                ? failure
                : new StoreFailure(
                        StoreFailure.Kind.UNAVAILABLE,
                        "The store failed in '" + call.operation() + "': " + cause,
                        cause);
    }

    private void end(Call<?> call, Runnable answer, @Nullable StoreFailure failure) {
        if (!underWay.remove(call)) {
            return;
        }
        try {
            if (failure == null) {
                answer.run();
            } else {
                listener.storeCallFailed(call.operation(), failure);
                call.failed().accept(failure);
            }
        } finally {
            sendQueued();
            afterEach.run();
        }
    }
}
