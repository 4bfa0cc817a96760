package io.dynamolock.engine;

import io.dynamolock.store.StoreFailure;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Every call to the store goes through here and its answer comes back on the event loop: exactly once, in time or as a
 * failure. Bounds the calls in flight, so that a beat never queues behind them in the client's connection pool. Lives on
 * the event loop.
 */
final class StoreCalls {

    /** Calls wait for room in their own lane only. */
    enum Lane {
        /** Heartbeats: sent at once. */
        BEAT,
        /** What callers wait for. */
        LOCK,
        /** Clean-up, with a little room of its own, so that it never delays what callers wait for. */
        BACKGROUND
    }

    /** Clean-up has so many times less room than what callers wait for. */
    private static final int BACKGROUND_SHARE = 4;

    private final EngineSettings settings;
    private final EventLoop loop;
    private final Backoff backoff;
    private final EngineListener listener;
    private final Map<Lane, Traffic> lanes;
    private int underWay;
    private @Nullable Runnable whenIdle;

    StoreCalls(EngineSettings settings, EventLoop loop, Backoff backoff, EngineListener listener) {
        this.settings = settings;
        this.loop = loop;
        this.backoff = backoff;
        this.listener = listener;
        int room = settings.maxCallsInFlight();
        this.lanes = Map.of(
                Lane.BEAT, new Traffic(Integer.MAX_VALUE),
                Lane.LOCK, new Traffic(room),
                Lane.BACKGROUND, new Traffic(Math.max(1, room / BACKGROUND_SHARE)));
    }

    /** Sends the call as soon as there is room for it. */
    <T> void send(
            Lane lane,
            String operation,
            Supplier<CompletionStage<T>> sending,
            Consumer<T> answered,
            Consumer<StoreFailure> failed) {
        send(settings.callTimeout(), lane, operation, sending, answered, failed);
    }

    /** As {@link #send}, but the answer must be there within this time after the sending. */
    <T> void send(
            Duration timeout,
            Lane lane,
            String operation,
            Supplier<CompletionStage<T>> sending,
            Consumer<T> answered,
            Consumer<StoreFailure> failed) {
        send(lane, new Call<>(operation, timeout, sending, answered, failed, () -> true, () -> {}));
    }

    /**
     * As {@link #send}, for a call that may have to wait for room: if it is not wanted any more when its turn comes, it is
     * not sent, and {@code dropped} runs as an event of its own.
     */
    <T> void send(
            Lane lane,
            String operation,
            Supplier<CompletionStage<T>> sending,
            Consumer<T> answered,
            Consumer<StoreFailure> failed,
            BooleanSupplier wanted,
            Runnable dropped) {
        send(lane, new Call<>(operation, settings.callTimeout(), sending, answered, failed, wanted, dropped));
    }

    /** Sends the call again and again until it is answered or no longer wanted. */
    <T> void persist(
            Lane lane,
            String operation,
            Supplier<CompletionStage<T>> sending,
            BooleanSupplier wanted,
            Consumer<T> answered,
            Runnable failedOnce) {
        persist(lane, operation, sending, wanted, answered, failedOnce, 1);
    }

    private <T> void persist(
            Lane lane,
            String operation,
            Supplier<CompletionStage<T>> sending,
            BooleanSupplier wanted,
            Consumer<T> answered,
            Runnable failedOnce,
            int attempt) {
        Consumer<StoreFailure> failed = failure -> {
            if (attempt == 1) {
                failedOnce.run();
            }
            loop.schedule(
                    () -> persist(lane, operation, sending, wanted, answered, failedOnce, attempt + 1),
                    backoff.urgentDelay(attempt, failure));
        };
        send(lane, operation, sending, answered, failed, wanted, () -> {});
    }

    /** Runs the step once no call is under way, in whichever lane. */
    void whenIdle(Runnable step) {
        assert loop.isCurrent();
        whenIdle = step;
        runWhenIdle();
    }

    private void runWhenIdle() {
        Runnable step = whenIdle;
        if (step != null && underWay == 0) {
            whenIdle = null;
            step.run();
        }
    }

    private void send(Lane lane, Call<?> call) {
        assert loop.isCurrent();
        Objects.requireNonNull(lanes.get(lane)).add(call);
    }

    private static StoreFailure asStoreFailure(String operation, Throwable error) {
        Throwable cause = error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
        if (cause instanceof StoreFailure failure) {
            return failure;
        }
        String message = "The store failed in '" + operation + "': " + cause;
        return new StoreFailure(StoreFailure.Kind.UNAVAILABLE, message, cause);
    }

    private record Call<T>(
            String operation,
            Duration timeout,
            Supplier<CompletionStage<T>> sending,
            Consumer<T> answered,
            Consumer<StoreFailure> failed,
            BooleanSupplier wanted,
            Runnable dropped) {}

    /** What is under way and what waits in one lane. */
    private final class Traffic {

        private final int room;
        private final Queue<Call<?>> queued = new ArrayDeque<>();
        private int inFlight;

        Traffic(int room) {
            this.room = room;
        }

        void add(Call<?> call) {
            queued.add(call);
            sendQueued();
        }

        void sendQueued() {
            while (inFlight < room && !queued.isEmpty()) {
                Call<?> next = queued.remove();
                if (next.wanted().getAsBoolean()) {
                    new Flight<>(this, next).start();
                } else {
                    loop.execute(next.dropped());
                }
            }
        }
    }

    /** A call that has been sent. */
    private final class Flight<T> {

        private final Traffic lane;
        private final Call<T> call;
        private boolean ended;
        private EventLoop.Timer timer = () -> {};

        Flight(Traffic lane, Call<T> call) {
            this.lane = lane;
            this.call = call;
        }

        void start() {
            underWay++;
            lane.inFlight++;
            timer = loop.schedule(() -> fail(tooLate()), call.timeout());
            CompletionStage<T> stage;
            try {
                stage = call.sending().get();
            } catch (RuntimeException e) {
                loop.execute(() -> fail(asStoreFailure(call.operation(), e)));
                return;
            }
            stage.whenComplete((value, error) -> loop.execute(() -> {
                if (error == null) {
                    end(() -> call.answered().accept(value));
                } else {
                    fail(asStoreFailure(call.operation(), error));
                }
            }));
        }

        private StoreFailure tooLate() {
            String late = "The store did not answer '" + call.operation() + "' within " + call.timeout();
            return new StoreFailure(StoreFailure.Kind.UNAVAILABLE, late + ": check the network to it", null);
        }

        private void fail(StoreFailure failure) {
            end(() -> {
                listener.storeCallFailed(call.operation(), failure);
                call.failed().accept(failure);
            });
        }

        /** Those who wait for room come after the answer: it may be what makes them unwanted. */
        private void end(Runnable telling) {
            if (ended) {
                return;
            }
            ended = true;
            lane.inFlight--;
            timer.cancel();
            try {
                telling.run();
            } finally {
                lane.sendQueued();
                underWay--;
                runWhenIdle();
            }
        }
    }
}
