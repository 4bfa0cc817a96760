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
 * Makes calls of one sort to the store. Each call ends exactly once, on the event loop: by its answer, or by a failure
 * if the answer does not come in time. There is one object for each sort of calls, and each has room of its own for
 * calls under way, so that no sort waits for the answers to another, and a heartbeat never waits behind other calls in
 * the client's connection pool. Lives on the event loop.
 */
public final class StoreCalls {

    /** @param operation the name of the call, for people */
    private record Call<T>(
            String operation,
            Supplier<CompletionStage<T>> sending,
            Consumer<T> answered,
            Consumer<StoreFailure> failed) {}

    private final EventLoop loop;
    private final EngineListener listener;
    private final CallRoom.Share room;
    private final Duration timeout;
    private final Consumer<@Nullable StoreFailure> afterEach;

    /** Calls that wait for room, in the order in which they came. */
    private final Queue<Call<?>> queued = new ArrayDeque<>();

    /** Calls that were sent and have not ended. */
    private final Set<Call<?>> underWay = Collections.newSetFromMap(new IdentityHashMap<>());

    /** Whether no call is sent any more. Set once, by {@link #sendNoMore}. */
    private boolean isShut;

    /**
     * @param room how many calls may be under way at once
     * @param timeout how long a call may take, counted from its sending
     * @param afterEach runs after each call, when its answer or failure was handed over, with its failure or, if it was
     *     answered, {@code null}
     */
    public StoreCalls(
            EventLoop loop,
            EngineListener listener,
            int room,
            Duration timeout,
            Consumer<@Nullable StoreFailure> afterEach) {
        this(loop, listener, new CallRoom(room), timeout, afterEach);
    }

    /** @param room how many calls may be under way at once, of this sort and of others that share the room */
    StoreCalls(
            EventLoop loop,
            EngineListener listener,
            CallRoom room,
            Duration timeout,
            Consumer<@Nullable StoreFailure> afterEach) {
        this.loop = loop;
        this.listener = listener;
        this.room = room.share(this::sendQueued);
        this.timeout = timeout;
        this.afterEach = afterEach;
    }

    /**
     * Sends a call as soon as there is room for it, unless {@link #sendNoMore} comes before.
     *
     * @param operation the name of the call, for people
     */
    public <T> void send(
            String operation,
            Supplier<CompletionStage<T>> sending,
            Consumer<T> answered,
            Consumer<StoreFailure> failed) {
        if (!isShut) {
            queued.add(new Call<>(operation, sending, answered, failed));
            sendQueued();
        }
    }

    /**
     * Sends no call any more, and drops the calls that wait for room. Nobody hears of a dropped call. Calls under way
     * go on.
     */
    void sendNoMore() {
        isShut = true;
        queued.clear();
    }

    /** Whether no call is under way or waits for room. */
    boolean isIdle() {
        return underWay.isEmpty() && queued.isEmpty();
    }

    private void sendQueued() {
        while (!queued.isEmpty() && room.hasRoom()) {
            start(queued.remove());
        }
    }

    private <T> void start(Call<T> call) {
        underWay.add(call);
        room.take();
        EventLoop.Timer timer = loop.schedule(() -> end(call, () -> {}, tooLate(call)), timeout);
        CompletionStage<T> stage;
        try {
            stage = call.sending().get();
        } catch (RuntimeException | Error e) {
            stage = CompletableFuture.failedFuture(e);
        }
        stage.whenComplete((value, error) -> loop.executeAfterCall(() -> {
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
                listener.storeCallAnswered(call.operation());
                answer.run();
            } else {
                listener.storeCallFailed(call.operation(), failure);
                call.failed().accept(failure);
            }
        } finally {
            room.giveBack();
            afterEach.accept(failure);
        }
    }
}
