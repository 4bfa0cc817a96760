package io.dynamolock.internal.process;

import io.dynamolock.LockAdmin;
import io.dynamolock.internal.engine.AcquireOutcome;
import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.Acquisition;
import io.dynamolock.internal.engine.ClockComparison;
import io.dynamolock.internal.engine.Engine;
import io.dynamolock.internal.engine.EngineListener;
import io.dynamolock.internal.engine.EngineSettings;
import io.dynamolock.internal.engine.Grant;
import io.dynamolock.internal.engine.LossReason;
import io.dynamolock.internal.engine.PendingAcquisition;
import io.dynamolock.internal.engine.StoreCalls;
import io.dynamolock.internal.engine.ValidSession;
import io.dynamolock.internal.loop.EventLoop;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.store.LockPage;
import io.dynamolock.internal.store.LockStore;
import io.dynamolock.internal.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One {@link Engine} after another, with pauses between them. A pause closes the present engine. The end of the pause
 * makes another engine and hands it the callers that wait, in their order.
 *
 * <p>All engines of a process live on one event loop. A step on it begins with a user's call, an answer of the store or
 * a timer; it changes state; and it ends with calls to the store and new timers. Thread-safe.
 */
public final class PausableEngine implements LockEngine {

    private final Supplier<Engine> newEngine;
    private final EventLoop loop;
    private final TimeSource time;
    private final EngineListener listener;
    private final ClockComparison clocks;
    private final Inspections inspections;

    /**
     * The acquisitions without an outcome, for {@link #waiters()}. An acquisition may stay a moment longer than that.
     */
    private final Set<PendingAcquisition> waiting = ConcurrentHashMap.newKeySet();

    /** The acquisitions that wait for the end of the pause, in the order of their arrival. On the event loop only. */
    private final Set<PendingAcquisition> waitingForResume = new LinkedHashSet<>();

    /** Former engines that may not have stopped yet. On the event loop only. */
    private final List<Engine> closed = new ArrayList<>();

    /** See {@link #shutdown()}. */
    private final CompletableFuture<Void> shutdown = new CompletableFuture<>();

    /** The present engine; during a pause the engine before it, which is closed. Written on the event loop only. */
    private volatile Engine engine;

    /**
     * The pause that is under way; {@code null} if there is none. Completes when the engine has stopped, or the pause
     * ends. On the event loop only.
     */
    private @Nullable CompletableFuture<Void> pause;

    /** Whether nobody waits any more, see {@link #endWaitsAfter}. Set once, on the event loop. */
    private volatile boolean areWaitsOver;

    /** Whether the shutdown has begun. On the event loop only. */
    private boolean isShutDown;

    /** @param random for ids and jitter; used on the event loop only. Must not give two processes the same ids */
    public PausableEngine(
            EngineSettings settings,
            LockStore store,
            EventLoop loop,
            TimeSource time,
            RandomGenerator random,
            EngineListener listener) {
        this(settings, store, loop, time, random, listener, Engine::of);
    }

    /** @param maker makes each engine; a simulation gives one that makes engines with other rules */
    public PausableEngine(
            EngineSettings settings,
            LockStore store,
            EventLoop loop,
            TimeSource time,
            RandomGenerator random,
            EngineListener listener,
            Function<Engine.Parts, Engine> maker) {
        this.loop = loop;
        this.time = time;
        this.listener = listener;
        this.clocks = new ClockComparison(time);
        this.newEngine = () -> maker.apply(new Engine.Parts(settings, store, loop, time, random, clocks, listener));
        this.inspections = new Inspections(
                store,
                loop,
                time,
                clocks,
                new StoreCalls(loop, listener, EngineSettings.READS_FOR_PEOPLE, settings.callTimeout(), failure -> {}),
                settings.heartbeat().plus(settings.callTimeout()),
                () -> engine);
        this.engine = newEngine.get();
    }

    @Override
    public Acquisition acquire(AcquireSpec spec) {
        PendingAcquisition acquisition = new PendingAcquisition(
                areWaitsOver && isWait(spec) ? spec.withoutWait() : spec, time, listener, this::abandoned);
        waiting.add(acquisition);
        acquisition.outcome().thenRun(() -> waiting.remove(acquisition));
        if (!loop.execute(() -> begin(acquisition))) {
            acquisition.end(new AcquireOutcome.Closed());
        }
        return acquisition;
    }

    private void begin(PendingAcquisition acquisition) {
        if (isShutDown || areWaitsOver && isWait(acquisition.spec())) {
            acquisition.end(new AcquireOutcome.Closed());
        } else if (pause == null) {
            engine.begin(acquisition);
        } else {
            waitForResume(acquisition);
        }
    }

    private void waitForResume(PendingAcquisition acquisition) {
        if (acquisition.spec().waitLimit().isZero()) {
            acquisition.end(new AcquireOutcome.Paused());
            return;
        }
        waitingForResume.add(acquisition);
        acquisition.endsWith(
                () -> {
                    waitingForResume.remove(acquisition);
                    acquisition.end(new AcquireOutcome.TimedOut(acquisition.waited(), 0, null));
                },
                loop);
    }

    private static boolean isWait(AcquireSpec spec) {
        return !spec.waitLimit().isZero() && !spec.key().isOfElection();
    }

    @Override
    public void endWaitsAfter(Duration longest) {
        loop.execute(() -> loop.schedule(this::endWaits, longest));
    }

    private void endWaits() {
        areWaitsOver = true;
        waiting.stream()
                .filter(acquisition -> isWait(acquisition.spec()))
                .forEach(acquisition -> acquisition.giveUp(new AcquireOutcome.Closed()));
    }

    private void abandoned(PendingAcquisition acquisition) {
        loop.execute(() -> {
            if (waitingForResume.remove(acquisition)) {
                acquisition.end(new AcquireOutcome.Abandoned());
            } else {
                engine.abandoned(acquisition);
            }
        });
    }

    @Override
    public CompletableFuture<Inspection> inspect(LockKey key) {
        return inspections.inspect(key);
    }

    @Override
    public CompletableFuture<InspectionPage> list(@Nullable String key, LockPage.@Nullable Mark after) {
        return inspections.list(key, after);
    }

    @Override
    public CompletableFuture<Void> resize(LockKey key, int permits) {
        return inspections.resize(key, permits);
    }

    @Override
    public CompletableFuture<Boolean> evict(LockKey key, String entry, String operator) {
        return inspections.evict(key, entry, operator);
    }

    @Override
    public List<Grant> held() {
        return engine.held();
    }

    @Override
    public List<Grant> held(LockKey key) {
        return engine.held(key);
    }

    @Override
    public TimeSource time() {
        return time;
    }

    @Override
    public Optional<String> clockProblem() {
        return clocks.problem();
    }

    @Override
    public int waiting() {
        return (int) unanswered().count();
    }

    /** The set may still contain acquisitions that have just ended. */
    private Stream<PendingAcquisition> unanswered() {
        return waiting.stream().filter(acquisition -> !acquisition.outcome().isDone());
    }

    @Override
    public List<LockAdmin.Waiter> waiters() {
        return unanswered()
                .sorted(Comparator.comparing(PendingAcquisition::startedAt))
                .map(waiter -> {
                    AcquireSpec spec = waiter.spec();
                    return new LockAdmin.Waiter(
                            spec.key().key(), spec.key().namespace(), spec.name(), spec.caller(), waiter.startedAt());
                })
                .toList();
    }

    @Override
    public Optional<ValidSession> session() {
        return engine.session();
    }

    @Override
    public CompletableFuture<Void> pause() {
        CompletableFuture<Void> result = new CompletableFuture<>();
        engine.loseAll(LossReason.PAUSED);
        if (!loop.execute(() -> pause(result))) {
            result.complete(null);
        }
        return result;
    }

    private void pause(CompletableFuture<Void> result) {
        if (isShutDown) {
            result.complete(null);
            return;
        }
        if (pause == null) {
            pause = new CompletableFuture<>();
            close(LossReason.PAUSED).forEach(this::waitForResume);
            engine.stopped().thenAccept(pause::complete);
        }
        pause.thenAccept(result::complete);
    }

    private List<PendingAcquisition> close(LossReason reason) {
        closed.removeIf(former -> former.stopped().isDone());
        closed.add(engine);
        return engine.close(reason);
    }

    @Override
    public void resume() {
        loop.execute(() -> {
            CompletableFuture<Void> ended = pause;
            if (ended != null && !isShutDown) {
                pause = null;
                engine = newEngine.get();
                List<PendingAcquisition> handedOver = List.copyOf(waitingForResume);
                waitingForResume.clear();
                handedOver.forEach(engine::begin);
                ended.complete(null);
            }
        });
    }

    @Override
    public CompletableFuture<Void> shutdown() {
        engine.loseAll(LossReason.CLOSED);
        if (!loop.execute(this::shutDown)) {
            shutdown.complete(null);
        }
        return shutdown.copy();
    }

    private void shutDown() {
        if (isShutDown) {
            return;
        }
        isShutDown = true;
        List<PendingAcquisition> stillWaiting = new ArrayList<>(waitingForResume);
        waitingForResume.clear();
        if (pause == null) {
            stillWaiting.addAll(close(LossReason.CLOSED));
        } else {
            pause.complete(null);
        }
        stillWaiting.forEach(acquisition -> acquisition.end(new AcquireOutcome.Closed()));
        CompletableFuture.allOf(closed.stream().map(Engine::stopped).toArray(CompletableFuture[]::new))
                .thenRun(() -> {
                    inspections.stop();
                    loop.shutdown();
                    shutdown.complete(null);
                });
    }
}
