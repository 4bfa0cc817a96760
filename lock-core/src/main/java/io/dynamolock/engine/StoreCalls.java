package io.dynamolock.engine;

import io.dynamolock.internal.engine.EngineListener;
import io.dynamolock.internal.engine.EngineSettings;
import io.dynamolock.internal.engine.EventLoop;
import io.dynamolock.internal.store.StoreFailure;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

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
        /** Reads for people, with a little room of their own, so that many of them never delay what callers wait for. */
        PEOPLE,
        /** Clean-up, with a little room of its own, so that it never delays what callers wait for. */
        BACKGROUND
    }

    private final EngineSettings settings;
    private final EventLoop loop;
    private final Backoff backoff;
    private final EngineListener listener;
    private final Map<Lane, Traffic> lanes;
    private int underWay;
    private final List<Runnable> whenIdle = new ArrayList<>(1);
    private final List<Flight<?>> held = new ArrayList<>(0);
    private boolean holding;

    StoreCalls(EngineSettings settings, EventLoop loop, Backoff backoff, EngineListener listener) {
        this.settings = settings;
        this.loop = loop;
        this.backoff = backoff;
        this.listener = listener;
        this.lanes = Map.of(
                Lane.BEAT, new Traffic(Integer.MAX_VALUE),
                Lane.LOCK, new Traffic(settings.maxCallsInFlight()),
                Lane.PEOPLE, new Traffic(EngineSettings.READS_FOR_PEOPLE),
                Lane.BACKGROUND, new Traffic(settings.cleanUpCallsInFlight()));
    }

    /** Sends the call as soon as there is room for it. */
    <T> void send(StoreCall<T> call, Consumer<T> answered, Consumer<StoreFailure> failed) {
        assert loop.isCurrent();
        Traffic lane = Objects.requireNonNull(lanes.get(call.lane()));
        Flight<T> flight = new Flight<>(lane, call, answered, failed);
        if (holding && !call.forPeople()) {
            held.add(flight);
            return;
        }
        lane.queued.add(flight);
        lane.sendQueued();
    }

    /** Sends nothing more but what people ask for, until it {@linkplain #goOn() goes on}. */
    void hold() {
        assert loop.isCurrent();
        holding = true;
        for (Traffic lane : lanes.values()) {
            lane.queued.stream().filter(flight -> !flight.call.forPeople()).forEach(held::add);
            lane.queued.removeIf(flight -> !flight.call.forPeople());
        }
    }

    void goOn() {
        assert loop.isCurrent();
        holding = false;
        held.forEach(flight -> flight.lane.queued.add(flight));
        held.clear();
        lanes.values().forEach(Traffic::sendQueued);
    }

    /** Sends the call again and again until it is answered. */
    <T> void persist(StoreCall<T> call, Consumer<T> answered) {
        persist(call, answered, 1);
    }

    private <T> void persist(StoreCall<T> call, Consumer<T> answered, int attempt) {
        Runnable again = () -> persist(call, answered, attempt + 1);
        send(call, answered, failure -> loop.schedule(again, backoff.delay(attempt, failure)));
    }

    /** Runs the step once no call is under way, in whichever lane. */
    void whenIdle(Runnable step) {
        assert loop.isCurrent();
        whenIdle.add(step);
        runWhenIdle();
    }

    private void runWhenIdle() {
        if (underWay == 0 && !whenIdle.isEmpty()) {
            List<Runnable> steps = List.copyOf(whenIdle);
            whenIdle.clear();
            steps.forEach(Runnable::run);
        }
    }

    private static StoreFailure asStoreFailure(String operation, Throwable error) {
        Throwable cause = error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
        if (cause instanceof StoreFailure failure) {
            return failure;
        }
        String message = "The store failed in '" + operation + "': " + cause;
        return new StoreFailure(StoreFailure.Kind.UNAVAILABLE, message, cause);
    }

    /** What is under way and what waits in one lane. */
    private final class Traffic {

        private final int room;
        private final Queue<Flight<?>> queued = new ArrayDeque<>();
        private int inFlight;

        Traffic(int room) {
            this.room = room;
        }

        void sendQueued() {
            while (inFlight < room && !queued.isEmpty()) {
                Flight<?> next = queued.remove();
                if (next.call.wanted().getAsBoolean()) {
                    next.start();
                } else {
                    loop.execute(next.call.dropped());
                }
            }
        }
    }

    /** A call on its way. */
    private final class Flight<T> {

        private final Traffic lane;
        private final StoreCall<T> call;
        private final Consumer<T> answered;
        private final Consumer<StoreFailure> failed;
        private boolean ended;
        private EventLoop.Timer timer = () -> {};

        Flight(Traffic lane, StoreCall<T> call, Consumer<T> answered, Consumer<StoreFailure> failed) {
            this.lane = lane;
            this.call = call;
            this.answered = answered;
            this.failed = failed;
        }

        void start() {
            underWay++;
            lane.inFlight++;
            Duration timeout = Objects.requireNonNullElse(call.timeout(), settings.callTimeout());
            timer = loop.schedule(() -> fail(tooLate(timeout)), timeout);
            CompletionStage<T> stage;
            try {
                stage = call.sending().get();
            } catch (RuntimeException | Error e) {
                loop.execute(() -> fail(asStoreFailure(call.operation(), e)));
                return;
            }
            stage.whenComplete((value, error) -> loop.executeAtTheEnd(() -> {
                if (error == null) {
                    end(() -> answered.accept(value));
                } else {
                    fail(asStoreFailure(call.operation(), error));
                }
            }));
        }

        private StoreFailure tooLate(Duration timeout) {
            String late = "The store did not answer '" + call.operation() + "' within " + timeout;
            return new StoreFailure(StoreFailure.Kind.UNAVAILABLE, late + ": check the network to it", null);
        }

        private void fail(StoreFailure failure) {
            end(() -> {
                listener.storeCallFailed(call.operation(), failure);
                failed.accept(failure);
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
