package io.dynamolock.internal.engine;

import io.dynamolock.internal.store.StoreFailure;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes every call to the store; its answer comes back on the event loop, exactly once, in time or as a failure. Bounds the calls under way,
 * each lane by itself, so that a heartbeat never waits behind them in the client's connection pool. Lives on the event loop.
 */
public final class StoreCalls {

    /** Calls wait for room in their own lane only. */
    public enum Lane {
        /** Heartbeats: sent at once. */
        HEARTBEAT,
        /** What callers wait for. */
        LOCK,
        /** Clean-up, with a little room of its own. */
        BACKGROUND,
        /** What people ask for, so that a flood of it delays no caller. */
        PEOPLE
    }

    private final EventLoop loop;
    private final EngineListener listener;
    private final Map<Lane, Traffic> lanes = new EnumMap<>(Lane.class);
    private final Runnable afterEach;
    private int underWay;

    /** @param afterEach runs after each call that has ended and whose answer was heard */
    public StoreCalls(EventLoop loop, EngineListener listener, EngineSettings settings, Runnable afterEach) {
        this.afterEach = afterEach;
        this.loop = loop;
        this.listener = listener;
        for (Lane lane : Lane.values()) {
            lanes.put(
                    lane,
                    new Traffic(
                            switch (lane) {
                                case HEARTBEAT -> Integer.MAX_VALUE;
                                case LOCK -> settings.maxCallsInFlight();
                                case BACKGROUND -> settings.cleanUpCallsInFlight();
                                case PEOPLE -> EngineSettings.READS_FOR_PEOPLE;
                            }));
        }
    }

    /**
     * Sends a call as soon as there is room for it.
     *
     * @param operation its name, for people
     * @param timeout when its answer must be there, counted from the sending
     */
    public <T> void send(
            Lane lane,
            String operation,
            Duration timeout,
            Supplier<CompletionStage<T>> sending,
            Consumer<T> answered,
            Consumer<StoreFailure> failed) {
        Traffic traffic = Objects.requireNonNull(lanes.get(lane));
        underWay++;
        traffic.queued.add(new Call<>(traffic, operation, timeout, sending, answered, failed)::start);
        traffic.sendQueued();
    }

    /** Whether no call is under way or waits for room. */
    boolean isIdle() {
        return underWay == 0;
    }

    private static final class Traffic {

        private final int room;
        private final Queue<Runnable> queued = new ArrayDeque<>();
        private int sent;

        Traffic(int room) {
            this.room = room;
        }

        void sendQueued() {
            while (sent < room && !queued.isEmpty()) {
                sent++;
                queued.remove().run();
            }
        }
    }

    /** A call on its way. */
    private final class Call<T> {

        private final Traffic lane;
        private final String operation;
        private final Duration timeout;
        private final Supplier<CompletionStage<T>> sending;
        private final Consumer<T> answered;
        private final Consumer<StoreFailure> failed;
        private boolean ended;
        private EventLoop.Timer timer = () -> {};

        Call(
                Traffic lane,
                String operation,
                Duration timeout,
                Supplier<CompletionStage<T>> sending,
                Consumer<T> answered,
                Consumer<StoreFailure> failed) {
            this.lane = lane;
            this.operation = operation;
            this.timeout = timeout;
            this.sending = sending;
            this.answered = answered;
            this.failed = failed;
        }

        void start() {
            timer = loop.schedule(() -> end(null, tooLate()), timeout);
            CompletionStage<T> stage;
            try {
                stage = sending.get();
            } catch (RuntimeException | Error e) {
                loop.execute(() -> end(null, asFailure(e)));
                return;
            }
            stage.whenComplete((value, error) -> loop.executeAtTheEnd(
                    () -> end(() -> answered.accept(value), error == null ? null : asFailure(error))));
        }

        private StoreFailure tooLate() {
            return new StoreFailure(
                    StoreFailure.Kind.UNAVAILABLE,
                    "The store did not answer '" + operation + "' within " + timeout + ": check the network to it",
                    null);
        }

        private StoreFailure asFailure(Throwable error) {
            Throwable cause =
                    error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
            return cause instanceof StoreFailure failure
                    ? failure
                    : new StoreFailure(
                            StoreFailure.Kind.UNAVAILABLE, "The store failed in '" + operation + "': " + cause, cause);
        }

        private void end(@Nullable Runnable answer, @Nullable StoreFailure failure) {
            if (ended) {
                return;
            }
            ended = true;
            lane.sent--;
            timer.cancel();
            try {
                if (failure != null) {
                    listener.storeCallFailed(operation, failure);
                    failed.accept(failure);
                } else if (answer != null) {
                    answer.run();
                }
            } finally {
                lane.sendQueued();
                underWay--;
                afterEach.run();
            }
        }
    }
}
