package io.dynamolock;

import io.dynamolock.engine.AcquireOutcome;
import io.dynamolock.engine.AcquireSpec;
import io.dynamolock.engine.Acquisition;
import io.dynamolock.engine.LockEngine;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.LockKey;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Turns the engine's futures and outcomes into what users call. */
final class DefaultLockRegistry implements LockRegistry {

    private final LockEngine engine;
    private final RegistryThreads threads;
    private final RegistryThreads.Tellers tellers;
    private final ListenerQueue listeners;
    private final Elections elections;
    private final Outcomes outcomes;
    private final Optional<LockTable> table;
    private final int keyPrefixBytes;
    private final int maxQueue;
    private final ThreadHolds threadHolds = new ThreadHolds();
    final OwnHolds ownHolds;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final Inspector inspector;
    private volatile @Nullable LockObserver observer;
    private final Interludes interludes;

    private volatile boolean closed;

    DefaultLockRegistry(
            LockEngine engine,
            RegistryThreads threads,
            ListenerQueue listeners,
            Pauses pauses,
            Fences fences,
            Optional<LockTable> table,
            int keyPrefixBytes,
            int maxQueue,
            Duration closeTimeout) {
        this.engine = engine;
        this.threads = threads;
        this.tellers = threads.ofUsers();
        this.listeners = listeners;
        this.elections = new Elections(request -> begin(request, null, threads.ofLeaders()), threads.leaders(), pauses);
        this.outcomes = new Outcomes(fences);
        this.ownHolds = new OwnHolds(engine);
        this.table = table;
        this.keyPrefixBytes = keyPrefixBytes;
        this.maxQueue = maxQueue;
        this.interludes = new Interludes(engine, elections, closeTimeout);
        this.inspector = new Inspector(engine, ended, this::ensureOpen);
    }

    @Override
    public LockHandle acquire(String key, Duration wait) {
        return acquire(LockRequest.of(key).wait(wait));
    }

    @Override
    public LockHandle acquire(LockRequest request) {
        AcquireSpec spec = checked(request, LockRequest.FOREVER);
        return DataAtGrant.write(request, granted(spec, await(request, spec)));
    }

    @Override
    public Optional<LockHandle> tryAcquire(String key) {
        return tryAcquire(LockRequest.of(key));
    }

    @Override
    public Optional<LockHandle> tryAcquire(LockRequest request) {
        AcquireSpec spec = checked(request, Duration.ZERO);
        Answer answer = await(request, spec);
        return answer.outcome() instanceof AcquireOutcome.TimedOut
                ? Optional.empty()
                : Optional.of(DataAtGrant.write(request, granted(spec, answer)));
    }

    @Override
    public CompletableFuture<LockHandle> acquireAsync(LockRequest request) {
        return begin(request, observer, tellers);
    }

    private CompletableFuture<LockHandle> begin(
            LockRequest request, @Nullable LockObserver following, RegistryThreads.Tellers tellers) {
        AcquireSpec spec = checked(request, LockRequest.FOREVER);
        FollowedCaller caller = FollowedCaller.begin(following, request);
        return AsyncAcquisition.begin(
                engine.acquire(spec),
                request,
                caller,
                outcome -> outcomes.handle(spec, outcome, caller, tellers, waited -> false),
                tellers.async());
    }

    @Override
    public <T> T withLock(String key, Duration wait, Callable<T> action) throws Exception {
        Objects.requireNonNull(action, "action");
        return LockedSection.run(acquire(key, wait), action);
    }

    @Override
    public void withLock(String key, Duration wait, Runnable action) {
        Objects.requireNonNull(action, "action");
        LockedSection.run(acquire(key, wait), action);
    }

    @Override
    public List<LockHandle> acquireAll(Collection<LockRequest> requests) {
        return new SeveralLocks(this, engine.time()).acquire(checked(requests));
    }

    @Override
    public CompletableFuture<List<LockHandle>> acquireAllAsync(Collection<LockRequest> requests) {
        List<LockRequest> all =
                checked(requests).stream().map(LockRequest::byThisThread).toList();
        return new SeveralLocks(this, engine.time()).acquireAsync(all);
    }

    @Override
    public ThreadLock lock(LockRequest request) {
        return new ReentrantLockView(this, threadHolds, request, checked(request, LockRequest.FOREVER));
    }

    @Override
    public LeaderElection elect(String name, LeaderListener listener) {
        Objects.requireNonNull(listener, "listener");
        LockRequest request = LockRequest.of(name)
                .namespace(LeaderElection.NAMESPACE)
                .name(name)
                .caller("leader election")
                .waitForever();
        checked(request, LockRequest.FOREVER);
        return elections.begin(request, listener);
    }

    @Override
    public LockSnapshot inspect(String key) {
        return inspect(key, LockRequest.DEFAULT_NAMESPACE);
    }

    @Override
    public LockSnapshot inspect(String key, String namespace) {
        return inspector.inspect(
                checked(LockRequest.of(key).namespace(namespace), Duration.ZERO).key());
    }

    @Override
    public Stream<LockSnapshot> list(String key) {
        return inspector.list(checked(LockRequest.of(key), Duration.ZERO).key().key());
    }

    @Override
    public Stream<LockSnapshot> listAll() {
        return inspector.list(null);
    }

    @Override
    public void setPermits(String key, int permits) {
        setPermits(key, LockRequest.DEFAULT_NAMESPACE, permits);
    }

    @Override
    public void setPermits(String key, String namespace, int permits) {
        LockRequest request = permits(key, permits).request().namespace(namespace);
        LockKey lockKey = checked(request, Duration.ZERO).key();
        inspector.await(engine.resize(lockKey, permits).thenApply(done -> true), lockKey, "Setting the permits of", "");
    }

    @Override
    public boolean evict(String key, String namespace, String id) {
        LockKey lockKey =
                checked(LockRequest.of(key).namespace(namespace), Duration.ZERO).key();
        BlockId place;
        try {
            place = BlockId.parse(Objects.requireNonNull(id, "id"));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "id must be that of a holder or waiter in a LockSnapshot of the "
                            + LockNames.describe(key, namespace) + ", but was \"" + id + "\".",
                    e);
        }
        return inspector.await(
                engine.evict(lockKey, place),
                lockKey,
                "Evicting from the queue of",
                "; it is not known whether its process is told");
    }

    @Override
    public Optional<LockTable> table() {
        return table;
    }

    @Override
    public Optional<String> clockProblem() {
        return engine.clockProblem();
    }

    @Override
    public void addListener(LockListener listener) {
        listeners.add(listener);
    }

    @Override
    public void observe(LockObserver following) {
        observer = Objects.requireNonNull(following, "observer");
    }

    @Override
    public List<HeldLock> held() {
        if (closed) {
            return List.of();
        }
        return EngineViews.held(engine);
    }

    @Override
    public int waiting() {
        return closed ? 0 : engine.waiting();
    }

    @Override
    public List<WaitingCaller> waiters() {
        return closed ? List.of() : EngineViews.waiters(engine);
    }

    @Override
    public Optional<SessionView> session() {
        return EngineViews.session(engine);
    }

    @Override
    public void pause() {
        interludes.pause(() -> closed);
    }

    @Override
    public void resume() {
        interludes.resume(() -> closed);
    }

    @Override
    public void close() {
        closed = true;
        interludes.close();
        ended.complete(null);
        listeners.shutdown();
        threads.shutdown();
    }

    private AcquireSpec checked(LockRequest request, Duration waitIfUnset) {
        Objects.requireNonNull(request, "request");
        if (keyPrefixBytes > 0) {
            LockNames.requireKey(request.key(), keyPrefixBytes);
        }
        AcquireSpec spec = request.toSpec(waitIfUnset);
        if (spec.permits() > maxQueue) {
            throw new IllegalArgumentException(
                    "permits must not be more than the places in a queue, because each permit takes"
                            + " one, but were " + spec.permits() + " with maxQueue " + maxQueue + " for "
                            + LockNames.describe(request.key(), request.namespace())
                            + ". Say fewer, or raise the registry's maxQueue.");
        }
        ensureOpen(spec.key());
        return spec;
    }

    /** All of them, before one is asked for. Nothing that the caller does to its collection meanwhile matters. */
    private List<LockRequest> checked(Collection<LockRequest> requests) {
        List<LockRequest> all = List.copyOf(requests);
        all.forEach(request -> checked(request, LockRequest.FOREVER));
        return all;
    }

    /** Waits for the outcome; an interrupt, also one before the call, leaves the queue. */
    private Answer await(LockRequest request, AcquireSpec spec) {
        try {
            return awaitInterruptibly(request, spec);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LockInterruptedException(spec.key().key(), spec.key().namespace(), e);
        }
    }

    Answer awaitInterruptibly(LockRequest request, AcquireSpec spec) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        ownHolds.warnOfWaiting(spec);
        FollowedCaller caller = FollowedCaller.begin(observer, request);
        Acquisition acquisition = engine.acquire(spec);
        try {
            AcquireOutcome outcome = acquisition.outcome().get();
            caller.answered(outcome, acquisition);
            return new Answer(outcome, caller);
        } catch (InterruptedException e) {
            acquisition.abandon();
            caller.answered(new AcquireOutcome.Abandoned(), acquisition);
            throw e;
        } catch (ExecutionException e) {
            throw new IllegalStateException("an acquisition never completes exceptionally", e);
        }
    }

    /** Waits for the outcome whatever happens, and keeps the interrupt flag. */
    Answer awaitUninterruptibly(LockRequest request, AcquireSpec spec) {
        ownHolds.warnOfWaiting(spec);
        FollowedCaller caller = FollowedCaller.begin(observer, request);
        Acquisition acquisition = engine.acquire(spec);
        AcquireOutcome outcome = acquisition.outcome().join();
        caller.answered(outcome, acquisition);
        return new Answer(outcome, caller);
    }

    /** The calling thread's handle, or the exception that says why there is none. */
    GrantHandle granted(AcquireSpec spec, Answer answer) {
        GrantHandle handle =
                outcomes.handle(spec, answer.outcome(), answer.caller(), tellers, ownHolds::standInTheWayOf);
        ownHolds.add(handle.grant());
        return handle;
    }

    void ensureOpen(LockKey key) {
        if (closed) {
            throw new LockClosedException(key.key(), key.namespace());
        }
    }
}
