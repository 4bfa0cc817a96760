package io.dynamolock.internal;

import io.dynamolock.LeaderElection;
import io.dynamolock.LeaderListener;
import io.dynamolock.LockAdmin;
import io.dynamolock.LockHandle;
import io.dynamolock.LockListener;
import io.dynamolock.LockObserver;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.LockTable;
import io.dynamolock.ThreadLock;
import io.dynamolock.internal.engine.AcquireOutcome;
import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.protocol.LockKey;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Turns the engine's futures and outcomes into what users call. */
public final class DefaultLockRegistry implements LockRegistry {

    private final LockEngine engine;
    private final ListenerQueue listeners;
    private final Elections elections;
    private final RegistryLife life;
    private final RequestRules rules;
    private final ThreadHolds threadHolds = new ThreadHolds();
    final Acquisitions acquisitions;
    private final LockAdmin admin;

    /** @param wait how long a request waits that says nothing of it */
    DefaultLockRegistry(
            LockEngine engine,
            RegistryThreads threads,
            ListenerQueue listeners,
            @Nullable LockObserver observer,
            Pauses pauses,
            Fences fences,
            Optional<LockTable> table,
            Duration wait,
            int keyPrefixBytes,
            int maxQueue,
            Duration closeTimeout) {
        this.engine = engine;
        this.listeners = listeners;
        this.acquisitions = new Acquisitions(engine, threads.ofUsers(), fences, observer);
        RegistryThreads.Tellers leaders = threads.ofLeaders();
        this.elections = new Elections(request -> seekToLead(request, leaders), leaders.async(), pauses);
        this.life = new RegistryLife(engine, elections, listeners, threads, closeTimeout);
        this.rules = new RequestRules(life, wait, keyPrefixBytes, maxQueue);
        this.admin = new DefaultLockAdmin(engine, life, rules, table);
    }

    @Override
    public LockHandle acquire(LockRequest request) {
        AcquireSpec spec = rules.checked(request);
        return acquisitions.granted(request, spec, acquisitions.await(request, spec));
    }

    @Override
    public Optional<LockHandle> tryAcquire(LockRequest request) {
        AcquireSpec spec = rules.checked(request, Duration.ZERO);
        Answer answer = acquisitions.await(request, spec);
        return answer.outcome() instanceof AcquireOutcome.TimedOut
                ? Optional.empty()
                : Optional.of(acquisitions.granted(request, spec, answer));
    }

    @Override
    public CompletableFuture<LockHandle> acquireAsync(LockRequest request) {
        return acquisitions.begin(request, rules.checked(request));
    }

    private CompletableFuture<LockHandle> seekToLead(LockRequest request, RegistryThreads.Tellers tellers) {
        return acquisitions.beginUnseen(rules.checked(request), tellers);
    }

    /** The calling thread asks for all of them: what runs on the registry's threads must not keep it from its answer. */
    @Override
    public List<LockHandle> acquireAll(Collection<LockRequest> requests) {
        SeveralRequests wanted = several(requests);
        AtomicReference<LockKey> asked = new AtomicReference<>();
        CompletableFuture<List<LockHandle>> locks = SeveralLocks.acquire(wanted, Runnable::run, request -> {
            AcquireSpec spec = rules.checked(request);
            asked.set(spec.key());
            return CompletableFuture.completedFuture(
                    acquisitions.grantedWithoutData(spec, acquisitions.await(request, spec)));
        });
        return Futures.await(locks, interrupt -> {
            if (!locks.cancel(false)) {
                locks.thenAccept(all -> all.forEach(handle -> ((GrantHandle) handle).giveBack()));
            }
            return Failures.interrupted(Objects.requireNonNull(asked.get()), interrupt);
        });
    }

    @Override
    public CompletableFuture<List<LockHandle>> acquireAllAsync(Collection<LockRequest> requests) {
        return SeveralLocks.acquire(
                several(requests),
                acquisitions.tellers.async(),
                request -> acquisitions.beginWithoutData(request, rules.checked(request)));
    }

    /** All are checked before a call is made. Nothing that the caller does to its collection meanwhile matters. */
    private SeveralRequests several(Collection<LockRequest> requests) {
        List<LockRequest> all = requests.stream().map(Requests::byThisThread).toList();
        all.forEach(rules::checked);
        return new SeveralRequests(all, rules.defaultWait(), engine.time());
    }

    @Override
    public ThreadLock lock(LockRequest request) {
        return new ReentrantLockView(this, threadHolds, request, rules.checked(request));
    }

    @Override
    public LeaderElection elect(String name, LeaderListener listener) {
        Objects.requireNonNull(listener, "listener");
        LockRequest request = LockRequest.of(name)
                .namespace(LeaderElection.NAMESPACE)
                .name(name)
                .caller("leader election")
                .waitForever();
        rules.checked(request);
        return elections.begin(request, listener);
    }

    @Override
    public LockAdmin admin() {
        return admin;
    }

    @Override
    public void close() {
        life.close();
    }

    /** The listener hears what happens from now on, after the others. Changes nothing if it does already. */
    public void addListener(LockListener listener) {
        listeners.add(listener);
    }

    /**
     * The observer follows those who call from now on, unless the registry has one: that of the builder stays.
     *
     * @return whether it does
     */
    public boolean observe(LockObserver observer) {
        return acquisitions.observe(observer);
    }

    /** How long a request waits that says nothing of it. */
    Duration defaultWait() {
        return rules.defaultWait();
    }

    void ensureOpen(LockKey key) {
        life.ensureOpen(key);
    }
}
