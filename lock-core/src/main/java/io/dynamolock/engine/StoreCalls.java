package io.dynamolock.engine;

import io.dynamolock.store.StoreFailure;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Every call to the store goes through here and its answer comes back on the event loop: exactly once, in time or as a
 * failure. Bounds the calls in flight, so that a beat never queues behind them in the client's connection pool.
 */
final class StoreCalls {

    private final EngineSettings settings;
    private final EventLoop loop;
    private final Backoff backoff;
    private final EngineListener listener;
    private final Queue<Call<?>> queued = new ArrayDeque<>();
    private int inFlight;
    private int underWay;
    private @Nullable Runnable whenIdle;

    StoreCalls(EngineSettings settings, EventLoop loop, Backoff backoff, EngineListener listener) {
        this.settings = settings;
        this.loop = loop;
        this.backoff = backoff;
        this.listener = listener;
    }

    /** Sends the call as soon as there is room for it. */
    <T> void send(
            String operation,
            Supplier<CompletionStage<T>> sending,
            Consumer<T> answered,
            Consumer<StoreFailure> failed) {
        Call<T> call = new Call<>(operation, sending, answered, failed, true);
        if (inFlight < settings.maxCallsInFlight()) {
            call.start(settings.callTimeout());
        } else {
            queued.add(call);
        }
    }

    /** Sends the call now, beside the others. */
    <T> void sendFirst(
            String operation,
            Duration timeout,
            Supplier<CompletionStage<T>> sending,
            Consumer<T> answered,
            Consumer<StoreFailure> failed) {
        new Call<>(operation, sending, answered, failed, false).start(timeout);
    }

    /** Sends the call again and again until it is answered or no longer wanted. */
    <T> void persist(
            String operation,
            Supplier<CompletionStage<T>> sending,
            BooleanSupplier wanted,
            Consumer<T> answered,
            Runnable failedOnce) {
        persist(operation, sending, wanted, answered, failedOnce, 0);
    }

    private <T> void persist(
            String operation,
            Supplier<CompletionStage<T>> sending,
            BooleanSupplier wanted,
            Consumer<T> answered,
            Runnable failedOnce,
            int failures) {
        send(operation, sending, answered, failure -> {
            if (failures == 0) {
                failedOnce.run();
            }
            loop.schedule(
                    () -> {
                        if (wanted.getAsBoolean()) {
                            persist(operation, sending, wanted, answered, failedOnce, failures + 1);
                        }
                    },
                    backoff.delay(failures + 1));
        });
    }

    /** Runs the step once no call is under way, neither a bounded one nor one beside them. */
    void whenIdle(Runnable step) {
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

    private void sendQueued() {
        while (inFlight < settings.maxCallsInFlight()) {
            Call<?> next = queued.poll();
            if (next == null) {
                return;
            }
            next.start(settings.callTimeout());
        }
    }

    private static StoreFailure asStoreFailure(String operation, Throwable error) {
        Throwable cause = error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
        if (cause instanceof StoreFailure failure) {
            return failure;
        }
        return new StoreFailure(
                StoreFailure.Kind.UNAVAILABLE, "The store failed in '" + operation + "': " + cause, cause);
    }

    private final class Call<T> {

        private final String operation;
        private final Supplier<CompletionStage<T>> sending;
        private final Consumer<T> answered;
        private final Consumer<StoreFailure> failed;
        private final boolean counted;
        private boolean ended;
        private EventLoop.@Nullable Timer timeout;

        Call(
                String operation,
                Supplier<CompletionStage<T>> sending,
                Consumer<T> answered,
                Consumer<StoreFailure> failed,
                boolean counted) {
            this.operation = operation;
            this.sending = sending;
            this.answered = answered;
            this.failed = failed;
            this.counted = counted;
        }

        void start(Duration limit) {
            underWay++;
            if (counted) {
                inFlight++;
            }
            timeout = loop.schedule(
                    () -> fail(new StoreFailure(
                            StoreFailure.Kind.UNAVAILABLE,
                            "The store did not answer '" + operation + "' within " + limit
                                    + ": check the network to it",
                            null)),
                    limit);
            CompletionStage<T> stage;
            try {
                stage = sending.get();
            } catch (RuntimeException e) {
                loop.execute(() -> fail(asStoreFailure(operation, e)));
                return;
            }
            stage.whenComplete((value, error) -> loop.execute(() -> {
                if (error == null) {
                    succeed(value);
                } else {
                    fail(asStoreFailure(operation, error));
                }
            }));
        }

        private void succeed(T value) {
            if (end()) {
                answered.accept(value);
                runWhenIdle();
            }
        }

        private void fail(StoreFailure failure) {
            if (end()) {
                listener.storeCallFailed(operation, failure);
                failed.accept(failure);
                runWhenIdle();
            }
        }

        private boolean end() {
            if (ended) {
                return false;
            }
            ended = true;
            underWay--;
            if (timeout != null) {
                timeout.cancel();
            }
            if (counted) {
                inFlight--;
                sendQueued();
            }
            return true;
        }
    }
}
