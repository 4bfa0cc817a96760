package io.dynamolock;

import io.dynamolock.internal.LockEngine;
import io.dynamolock.internal.engine.AcquireOutcome;
import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.text.SafeText;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** Turns the engine's futures and outcomes into what users call. */
final class DefaultLockRegistry implements LockRegistry {

    private final LockEngine engine;
    private final ListenerQueue listeners;
    private final Elections elections;
    private final Optional<LockTable> table;
    private final int keyPrefixBytes;
    private final int maxQueue;
    private final RegistryLife life;
    private final ThreadHolds threadHolds = new ThreadHolds();
    final Acquisitions acquisitions;
    private final Inspector inspector;

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
        this.listeners = listeners;
        this.acquisitions = new Acquisitions(engine, threads.ofUsers(), fences);
        this.elections = new Elections(request -> askToLead(request, threads.ofLeaders()), threads.leaders(), pauses);
        this.life = new RegistryLife(engine, elections, listeners, threads, closeTimeout);
        this.table = table;
        this.keyPrefixBytes = keyPrefixBytes;
        this.maxQueue = maxQueue;
        this.inspector = new Inspector(engine, life.ended(), life::ensureOpen);
    }

    @Override
    public LockHandle acquire(LockRequest request) {
        AcquireSpec spec = checked(request, LockRequest.FOREVER);
        return acquisitions.granted(request, spec, acquisitions.await(request, spec));
    }

    @Override
    public Optional<LockHandle> tryAcquire(LockRequest request) {
        AcquireSpec spec = checked(request, Duration.ZERO);
        Answer answer = acquisitions.await(request, spec);
        return answer.outcome() instanceof AcquireOutcome.TimedOut
                ? Optional.empty()
                : Optional.of(acquisitions.granted(request, spec, answer));
    }

    @Override
    public CompletableFuture<LockHandle> acquireAsync(LockRequest request) {
        return acquisitions.begin(request, checked(request, LockRequest.FOREVER));
    }

    private CompletableFuture<LockHandle> askToLead(LockRequest request, RegistryThreads.Tellers tellers) {
        return acquisitions.beginUnseen(request, checked(request, LockRequest.FOREVER), tellers);
    }

    @Override
    public List<LockHandle> acquireAll(Collection<LockRequest> requests) {
        SeveralRequests wanted = new SeveralRequests(checked(requests), engine.time());
        CompletableFuture<List<LockHandle>> locks =
                SeveralLocks.acquire(wanted, request -> CompletableFuture.completedFuture(acquire(request)));
        return Waiting.forAnswer(locks, interrupt -> {
            locks.cancel(false);
            return new LockInterruptedException(wanted.get(wanted.size() - 1).lock(), interrupt);
        });
    }

    @Override
    public CompletableFuture<List<LockHandle>> acquireAllAsync(Collection<LockRequest> requests) {
        List<LockRequest> all =
                checked(requests).stream().map(LockRequest::byThisThread).toList();
        return SeveralLocks.acquire(new SeveralRequests(all, engine.time()), this::acquireAsync);
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
    public LockSnapshot inspect(String key, String namespace) {
        return inspector.inspect(checked(key, namespace));
    }

    @Override
    public Stream<LockSnapshot> list(String key) {
        return inspector.list(checked(key, LockRequest.DEFAULT_NAMESPACE).key());
    }

    @Override
    public Stream<LockSnapshot> listAll() {
        return inspector.list(null);
    }

    @Override
    public void setPermits(String key, String namespace, int permits) {
        LockRequest request = permits(key, permits).request().namespace(namespace);
        LockKey lockKey = checked(request, Duration.ZERO).key();
        inspector.await(engine.resize(lockKey, permits).thenApply(done -> true), lockKey, "Setting the permits of", "");
    }

    @Override
    public boolean evict(String key, String namespace, String id) {
        LockKey lockKey = checked(key, namespace);
        try {
            Entry.checkId(Objects.requireNonNull(id, "id"));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "id must be that of a holder or waiter in a LockSnapshot of the " + LockNames.describe(lockKey)
                            + ", but was " + SafeText.quote(id) + ".",
                    e);
        }
        return inspector.await(
                engine.evict(lockKey, id),
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
        acquisitions.observe(following);
    }

    @Override
    public List<HeldLock> held() {
        return engine.held().stream()
                .map(grant -> new HeldLock(
                        grant.key().key(),
                        grant.key().namespace(),
                        grant.name(),
                        grant.ticket(),
                        grant.since(),
                        grant.caller()))
                .toList();
    }

    @Override
    public int waiting() {
        return engine.waiting();
    }

    @Override
    public List<WaitingCaller> waiters() {
        return engine.waiters().stream()
                .map(call -> new WaitingCaller(
                        call.key().key(), call.key().namespace(), call.name(), call.caller(), call.since()))
                .toList();
    }

    @Override
    public Optional<SessionView> session() {
        return engine.session()
                .map(own -> new SessionView(
                        own.id().toString(), own.owner(), own.since(), own.lastHeartbeat(), own.remaining()));
    }

    @Override
    public void pause() {
        life.pause();
    }

    @Override
    public void resume() {
        life.resume();
    }

    @Override
    public void close() {
        life.close();
    }

    private LockKey checked(String key, String namespace) {
        return checked(LockRequest.of(key).namespace(namespace), Duration.ZERO).key();
    }

    private AcquireSpec checked(LockRequest request, Duration waitIfUnset) {
        Objects.requireNonNull(request, "request");
        if (keyPrefixBytes > 0) {
            LockNames.requireKey(request.key(), keyPrefixBytes);
        }
        AcquireSpec spec = request.toSpec(waitIfUnset);
        if (spec.permits() > maxQueue) {
            throw new IllegalArgumentException(
                    "permits must not be more than the entries of a queue, because each permit takes"
                            + " one, but were " + spec.permits() + " with maxQueue " + maxQueue + " for "
                            + LockNames.describe(spec.key())
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

    void ensureOpen(LockKey key) {
        life.ensureOpen(key);
    }
}
