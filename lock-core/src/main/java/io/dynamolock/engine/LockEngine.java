package io.dynamolock.engine;

import io.dynamolock.store.Dispute;
import io.dynamolock.store.LockKey;
import io.dynamolock.store.LockStore;
import io.dynamolock.store.QueueView;
import io.dynamolock.store.SessionId;
import io.dynamolock.store.StoreFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The engine's only door. All lock state of a process is confined to one event loop, which runs small, non-blocking
 * steps: a user's call, a store's answer or a timer comes in; state changes; store calls and timers go out.
 * Thread-safe.
 */
public final class LockEngine {

    private static final int SHUTDOWN_ATTEMPTS = 3;

    private final EngineContext context;
    private final SessionKeeper keeper;
    private final PeerWatch peers;
    private final HeldLongWatch heldLong;
    private final Map<LockKey, KeyQueue> queues = new HashMap<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final CompletableFuture<Void> shutdown = new CompletableFuture<>();
    private final Home home = new Home();

    /**
     * @param callbacks runs what users registered on grants
     * @param random for ids and jitter; used on the event loop only; ids must not repeat across processes
     */
    public LockEngine(
            EngineSettings settings,
            LockStore store,
            EventLoop loop,
            TimeSource time,
            RandomGenerator random,
            Executor callbacks,
            EngineListener listener) {
        context = new EngineContext(settings, store, loop, time, random, listener, new Grants(callbacks));
        peers = new PeerWatch(settings, store, context.calls, loop, time, home::peerDied);
        heldLong = new HeldLongWatch(context, peers::markDead);
        keeper = new SessionKeeper(context, new EndedSessions(store, context.calls, peers::markDead), home);
    }

    /** Starts to acquire; returns at once. */
    public Acquisition acquire(AcquireSpec spec) {
        Caller caller = new Caller(spec, home, context.time.nanos(), waiting);
        if (context.grants.isClosed() || !context.loop.execute(() -> home.arrive(caller))) {
            caller.end(new AcquireOutcome.Closed());
        }
        return caller;
    }

    /**
     * Reads a lock and the first rows of its queue; writes nothing. Fails with a {@link StoreFailure}, or with an
     * {@link IllegalStateException} after a shutdown. Completed on the event loop.
     */
    public CompletableFuture<QueueView> look(LockKey key, int limit) {
        CompletableFuture<QueueView> result = new CompletableFuture<>();
        if (!context.loop.execute(() -> home.look(key, limit, result))) {
            result.completeExceptionally(shutDownAlready());
        }
        return result;
    }

    private static IllegalStateException shutDownAlready() {
        return new IllegalStateException("the engine is shut down");
    }

    /** The locks this process holds, longest held first. */
    public List<HeldLock> held() {
        return context.grants.active().stream()
                .filter(Grant::isValid)
                .map(grant -> new HeldLock(grant.key(), grant.spec().name(), grant.number(), grant.since()))
                .sorted(Comparator.comparing(HeldLock::since))
                .toList();
    }

    /** How many callers of this process wait. */
    public int waiting() {
        return waiting.get();
    }

    /** How many locks this engine remembers: those that its callers hold or want. To be asked on the event loop. */
    int locksInUse() {
        return queues.size();
    }

    /**
     * Invalidates every grant at once, ends every wait with {@link AcquireOutcome.Closed}, deletes the session (which
     * frees everything for others) and then stops the event loop. Idempotent. Completes, never exceptionally, when that
     * is done or has been tried for long enough.
     */
    public CompletableFuture<Void> shutdown() {
        if (context.grants.close() && !context.loop.execute(home::shutDown)) {
            shutdown.complete(null);
        }
        return shutdown.copy();
    }

    /** What the queues and the session see of the engine; lives on the event loop, but for {@link #left}. */
    private final class Home implements KeyQueue.Home, SessionKeeper.Dependants, Caller.Departures {

        private final Set<CompletableFuture<QueueView>> looks = new HashSet<>();
        private boolean closed;

        void look(LockKey key, int limit, CompletableFuture<QueueView> result) {
            if (closed) {
                result.completeExceptionally(shutDownAlready());
                return;
            }
            looks.add(result);
            context.calls.send(
                    "inspect",
                    () -> context.store.look(key, limit),
                    view -> {
                        looks.remove(result);
                        result.complete(view);
                    },
                    failure -> {
                        looks.remove(result);
                        result.completeExceptionally(failure);
                    });
        }

        void arrive(Caller caller) {
            if (closed) {
                if (caller.end(new AcquireOutcome.Closed())) {
                    left(caller, null);
                }
                return;
            }
            queueOf(caller).arrive(caller);
        }

        @Override
        public void left(Caller caller) {
            context.loop.execute(() -> left(caller, closed ? null : queueOf(caller)));
        }

        private void left(Caller caller, @Nullable KeyQueue queue) {
            if (queue == null) {
                waitEnded(caller);
                context.listener.abandoned(caller.spec(), context.since(caller.startedNanos()));
            } else {
                queue.left(caller);
            }
        }

        private KeyQueue queueOf(Caller caller) {
            return queues.computeIfAbsent(caller.spec().key(), key -> new KeyQueue(key, context, this));
        }

        @Override
        public @Nullable Session session() {
            return keeper.live();
        }

        @Override
        public @Nullable StoreFailure sessionFailure() {
            return keeper.failure();
        }

        @Override
        public void checkSession() {
            keeper.check();
        }

        @Override
        public boolean isOwnSession(SessionId id) {
            return keeper.isOwn(id);
        }

        @Override
        public PeerWatch peers() {
            return peers;
        }

        @Override
        public HeldLongWatch heldLong() {
            return heldLong;
        }

        @Override
        public void waitEnded(Caller caller) {
            caller.cancelDeadline();
        }

        @Override
        public void queueIsIdle(KeyQueue queue) {
            queues.remove(queue.key(), queue);
        }

        @Override
        public boolean needSession() {
            return queues.values().stream().anyMatch(KeyQueue::needsSession);
        }

        @Override
        public void sessionStarted(Session session) {
            context.listener.sessionStarted(session.id());
            List.copyOf(queues.values()).forEach(KeyQueue::sessionStarted);
        }

        @Override
        public void sessionNotStarted(StoreFailure failure) {
            List.copyOf(queues.values()).forEach(queue -> queue.sessionNotStarted(failure));
        }

        @Override
        public void sessionLost(Session session) {
            context.listener.sessionLost(session.id());
            List.copyOf(queues.values()).forEach(queue -> queue.sessionLost(LossReason.SESSION_LOST));
        }

        @Override
        public void disputed(Set<Dispute> disputes) {
            for (Dispute dispute : disputes) {
                KeyQueue queue = queues.get(dispute.key());
                if (queue == null || !queue.knows(dispute.block())) {
                    context.undo.release(dispute.key(), dispute.block(), () -> {});
                }
            }
        }

        @Override
        public void storeClockSays(Instant at) {
            peers.storeClockSays(at);
        }

        private void peerDied(SessionId id) {
            List.copyOf(queues.values()).forEach(KeyQueue::peerDied);
        }

        void shutDown() {
            closed = true;
            SessionId session = keeper.close();
            List.copyOf(queues.values()).forEach(KeyQueue::close);
            queues.clear();
            // Whatever still hangs then is left to the lease.
            Duration patience = context.settings.callTimeout().multipliedBy(2);
            context.loop.schedule(this::stop, patience);
            endSession(session, 1);
        }

        private void endSession(@Nullable SessionId session, int attempt) {
            if (session == null) {
                stopWhenQuiet();
                return;
            }
            context.calls.sendFirst(
                    "end session",
                    context.settings.callTimeout(),
                    () -> context.store.endSession(session),
                    done -> stopWhenQuiet(),
                    failure -> {
                        if (attempt < SHUTDOWN_ATTEMPTS) {
                            context.loop.schedule(
                                    () -> endSession(session, attempt + 1), context.backoff.delay(attempt));
                        } else {
                            stop();
                        }
                    });
        }

        /** An entry under way has to be answered before its row can be deleted. */
        private void stopWhenQuiet() {
            context.calls.whenIdle(() -> context.undo.whenDone(this::stop));
        }

        private void stop() {
            context.loop.shutdown();
            looks.forEach(look -> look.completeExceptionally(shutDownAlready()));
            looks.clear();
            shutdown.complete(null);
        }
    }
}
