package io.dynamolock.engine;

import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.EngineListener;
import io.dynamolock.internal.engine.EngineSettings;
import io.dynamolock.internal.engine.EventLoop;
import io.dynamolock.internal.engine.LossReason;
import io.dynamolock.internal.engine.TimeSource;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.Dispute;
import io.dynamolock.protocol.Eviction;
import io.dynamolock.protocol.Pace;
import io.dynamolock.protocol.Vigil;
import io.dynamolock.store.LockPage;
import io.dynamolock.store.LockStore;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** All lock state of a process, confined to one event loop. Thread-safe. */
final class LoopEngine implements LockEngine {

    private final EngineContext context;
    private final EngineParts parts;
    private final Set<Caller> waiting = ConcurrentHashMap.newKeySet();
    private final Farewell farewell;
    private final Pausing pausing;
    private final CompletableFuture<Void> shutdown = new CompletableFuture<>();
    private final Inspections inspections;
    private final long origin;
    private final Home home = new Home();
    private final Evictions evictions;

    LoopEngine(
            EngineSettings settings,
            LockStore store,
            EventLoop loop,
            TimeSource time,
            RandomGenerator random,
            Executor callbacks,
            EngineListener listener) {
        context = new EngineContext(settings, store, loop, time, random, listener);
        origin = time.nanos();
        Vigil vigil = new Vigil(settings.lease(), settings.lockDelay(), settings.maxClockSkew());
        PeerWatch peers = new PeerWatch(context, vigil, () -> home.tellAll(KeyGroup::goOn));
        EndedSessions ended = new EndedSessions(context, peers::markDead);
        parts = new EngineParts(
                context,
                new SessionKeeper(context, ended, home),
                peers,
                new HeldLongWatch(context, peers::markDead),
                new Strays(context),
                new KeptLocks(context, peers, ended),
                ended,
                new Grants(callbacks),
                vigil,
                new Pace(settings.pollMin(), settings.pollMax()));
        inspections = new Inspections(context, parts.keeper().clockCheck());
        farewell = new Farewell(context, parts);
        pausing = new Pausing(context, parts, farewell);
        evictions = new Evictions(parts, home.queues::get);
    }

    @Override
    public Acquisition acquire(AcquireSpec spec) {
        Consumer<Caller> byItself = left -> context.loop.execute(() -> home.left(left));
        Caller caller = new Caller(spec, byItself, context.time.nanos(), context.time.now(), waiting);
        if (parts.grants().isClosed() || !context.loop.execute(() -> home.arrive(caller))) {
            caller.end(new AcquireOutcome.Closed());
        }
        return caller;
    }

    @Override
    public CompletableFuture<Inspection> inspect(LockKey key) {
        return read(result -> inspections.inspect(key, result));
    }

    @Override
    public CompletableFuture<InspectionPage> list(@Nullable String key, LockPage.@Nullable Mark after) {
        return read(result -> inspections.list(key, after, result));
    }

    private <T> CompletableFuture<T> read(Consumer<CompletableFuture<T>> begin) {
        CompletableFuture<T> result = new CompletableFuture<>();
        if (!context.loop.execute(() -> home.read(result, begin))) {
            result.completeExceptionally(Inspections.shutDown());
        }
        return result;
    }

    @Override
    public CompletableFuture<Boolean> evict(LockKey key, BlockId place) {
        return read(result -> evictions.evict(key, place, result));
    }

    @Override
    public CompletableFuture<Void> resize(LockKey key, int permits) {
        return read(result -> Resizing.begin(context, key, permits, home.queues.get(key), result));
    }

    @Override
    public List<Grant> held() {
        return parts.grants().held();
    }

    @Override
    public boolean knows(Grant grant) {
        return parts.grants().knows(grant);
    }

    @Override
    public void note(Grant grant, long thread) {
        parts.grants().note(grant, thread);
    }

    @Override
    public List<Grant> notedFor(long thread, LockKey key) {
        return parts.grants().notedFor(thread, key);
    }

    @Override
    public TimeSource time() {
        return context.time;
    }

    @Override
    public Optional<String> clockProblem() {
        return Optional.ofNullable(parts.keeper().clockCheck().latest()).map(StoreFailure::getMessage);
    }

    @Override
    public int waiting() {
        return waiting.size();
    }

    @Override
    public List<WaitingCall> waiters() {
        return WaitingCall.of(waiting, origin);
    }

    @Override
    public Optional<OwnSession> session() {
        return parts.grants().isClosed() ? Optional.empty() : parts.keeper().view();
    }

    @Override
    public CompletableFuture<Void> pause() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        parts.keeper().endAtOnce();
        if (!context.loop.execute(() -> home.pause(done))) {
            done.complete(null);
        }
        return done;
    }

    @Override
    public void resume() {
        context.loop.execute(home::resume);
    }

    /** How many locks this engine remembers: those that its callers hold or want. To be asked on the event loop. */
    int locksInUse() {
        return home.queues.size();
    }

    @Override
    public CompletableFuture<Void> shutdown() {
        if (parts.grants().close() && !context.loop.execute(home::shutDown)) {
            shutdown.complete(null);
        }
        return shutdown.copy();
    }

    /** What happens on the event loop. */
    private final class Home implements SessionKeeper.Dependants {

        private final Map<LockKey, KeyGroup> queues = new HashMap<>();
        private boolean closed;

        void arrive(Caller caller) {
            if (!closed && !pausing.refuses(caller)) {
                queueOf(caller).arrive(caller);
            } else if (closed && caller.end(new AcquireOutcome.Closed())) {
                left(caller);
            }
        }

        private void left(Caller caller) {
            if (!closed) {
                queueOf(caller).left(caller);
                return;
            }
            caller.cancelDeadline();
            context.listener.abandoned(caller.spec(), context.since(caller.startedNanos()));
        }

        private KeyGroup queueOf(Caller caller) {
            return queues.computeIfAbsent(
                    caller.spec().key(), key -> new KeyGroup(key, parts, idle -> queues.remove(key, idle)));
        }

        private void tellAll(Consumer<KeyGroup> event) {
            List.copyOf(queues.values()).forEach(event);
        }

        @Override
        public boolean needSession() {
            return queues.values().stream().anyMatch(KeyGroup::needsSession);
        }

        @Override
        public void sessionStarted(Session session) {
            context.listener.sessionStarted(session.id());
            tellAll(KeyGroup::goOn);
        }

        @Override
        public void sessionNotStarted(StoreFailure failure) {
            tellAll(queue -> queue.sessionNotStarted(failure));
        }

        @Override
        public void sessionLost(Session session, SessionEnd why) {
            context.listener.sessionLost(session.id());
            tellAll(queue -> queue.sessionLost(LossReason.SESSION_LOST));
        }

        @Override
        public void disputed(Set<Dispute> disputes) {
            for (Dispute dispute : disputes) {
                KeyGroup group = queues.get(dispute.key());
                if (group == null || !group.knows(dispute.block())) {
                    parts.strays().remove(dispute.key(), dispute.block(), false);
                } else if (group.isShared(dispute.block())) {
                    group.lookForStrays();
                }
            }
        }

        @Override
        public void evicted(Set<Eviction> told) {
            told.forEach(evictions::hear);
        }

        @Override
        public void storeClockSays(Instant at, long sentNanos) {
            parts.peers().storeClockSays(at, sentNanos);
        }

        <T> void read(CompletableFuture<T> result, Consumer<CompletableFuture<T>> begin) {
            if (closed) {
                result.completeExceptionally(Inspections.shutDown());
            } else {
                begin.accept(result);
            }
        }

        void pause(CompletableFuture<Void> done) {
            if (closed) {
                done.complete(null);
            } else {
                pausing.pause(() -> tellAll(group -> group.leave(LossReason.PAUSED)), done);
            }
        }

        void resume() {
            if (!closed && pausing.isPaused()) {
                pausing.goOn();
                tellAll(KeyGroup::goOn);
            }
        }

        void shutDown() {
            closed = true;
            // What still hangs then is left to the lease.
            context.loop.schedule(this::stop, parts.keeper().timeToEnd());
            tellAll(group -> group.leave(LossReason.CLOSED));
            SessionId session = parts.keeper().close();
            queues.clear();
            pausing.goOn();
            farewell.take(session, this::stop, this::stop);
        }

        private void stop() {
            context.loop.shutdown();
            inspections.stop();
            pausing.tell();
            shutdown.complete(null);
        }
    }
}
