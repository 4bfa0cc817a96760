package io.dynamolock.internal;

import io.dynamolock.LeaderElection;
import io.dynamolock.LeaderListener;
import io.dynamolock.LockAdmin;
import io.dynamolock.LockClosedException;
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
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns the engine's futures and outcomes into what users call; pauses and ends what a registry consists of, in order. */
public final class DefaultLockRegistry implements LockRegistry {

    private static final Logger log = LoggerFactory.getLogger(DefaultLockRegistry.class);

    private final LockEngine engine;
    private final RegistryThreads threads;
    private final ListenerQueue listeners;
    private final Elections elections;
    final Acquisitions acquisitions;
    private final LockAdmin admin;
    private final ThreadHolds threadHolds = new ThreadHolds();
    final Duration defaultWait;
    private final int keyPrefixBytes;
    private final int maxQueue;
    private final Duration closeTimeout;
    /** Pauses take long, and one may follow another. */
    private final ReentrantLock pausing = new ReentrantLock();

    private volatile boolean closed;

    /**
     * @param wait how long a request waits that says nothing of it
     * @param keyPrefixBytes how many bytes of each key are the table's
     * @param maxQueue how many permits there may be
     * @param closeTimeout for how long each part of a pause, or of the end, is waited for
     */
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
        this.threads = threads;
        this.listeners = listeners;
        this.acquisitions = new Acquisitions(engine, threads.ofUsers(), fences, observer);
        RegistryThreads.Tellers leaders = threads.ofLeaders();
        this.elections =
                new Elections(request -> acquisitions.beginUnseen(checked(request), leaders), leaders.async(), pauses);
        this.admin = new DefaultLockAdmin(this, engine, table);
        this.defaultWait = wait;
        this.keyPrefixBytes = keyPrefixBytes;
        this.maxQueue = maxQueue;
        this.closeTimeout = closeTimeout;
    }

    @Override
    public LockHandle acquire(LockRequest request) {
        AcquireSpec spec = checked(request);
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
        return acquisitions.begin(request, checked(request));
    }

    /** The calling thread asks for all of them: what runs on the registry's threads must not keep it from its answer. */
    @Override
    public List<LockHandle> acquireAll(Collection<LockRequest> requests) {
        AtomicReference<LockKey> asked = new AtomicReference<>();
        CompletableFuture<List<LockHandle>> locks = several(requests, Runnable::run, request -> {
            AcquireSpec spec = checked(request);
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
        return several(
                requests,
                acquisitions.tellers.async(),
                request -> acquisitions.beginWithoutData(request, checked(request)));
    }

    /** All are checked before a call is made. Nothing that the caller does to its collection meanwhile matters. */
    private CompletableFuture<List<LockHandle>> several(
            Collection<LockRequest> requests,
            Executor tellers,
            Function<LockRequest, CompletableFuture<LockHandle>> asking) {
        List<LockRequest> all = requests.stream().map(Requests::byThisThread).toList();
        all.forEach(this::checked);
        return new SeveralLocks(all, defaultWait, engine.time(), tellers, asking).acquire();
    }

    @Override
    public ThreadLock lock(LockRequest request) {
        return new ReentrantLockView(this, threadHolds, request, checked(request));
    }

    @Override
    public LeaderElection elect(String name, LeaderListener listener) {
        Objects.requireNonNull(listener, "listener");
        LockRequest request = LockRequest.of(name)
                .namespace(LeaderElection.NAMESPACE)
                .name(name)
                .caller("leader election")
                .waitForever();
        checked(request);
        return elections.begin(request, listener);
    }

    @Override
    public LockAdmin admin() {
        return admin;
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

    // Requests

    /** @throws LockClosedException if the registry is closed */
    LockKey key(String key, String namespace) {
        return checked(LockRequest.of(key).namespace(namespace)).key();
    }

    /**
     * @throws IllegalArgumentException if the request cannot be served
     * @throws LockClosedException if the registry is closed
     */
    AcquireSpec checked(LockRequest request) {
        return checked(request, defaultWait);
    }

    private AcquireSpec checked(LockRequest request, Duration waitIfUnset) {
        Objects.requireNonNull(request, "request");
        LockNames.requireKey(request.key(), keyPrefixBytes);
        AcquireSpec spec = Requests.spec(request, waitIfUnset);
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

    /** @throws LockClosedException if the registry is closed */
    void ensureOpen(LockKey key) {
        if (closed) {
            throw new LockClosedException(key.key(), key.namespace());
        }
    }

    // Pauses and the end

    void pause() {
        unlessClosed(() -> {
            await(elections.pause(), "Telling the leaders of the elections of a registry to be paused");
            await(engine.pause(), "Pausing the lock registry");
        });
    }

    void resume() {
        unlessClosed(() -> {
            engine.resume();
            elections.resume();
        });
    }

    private void unlessClosed(Runnable step) {
        pausing.lock();
        try {
            if (!closed) {
                step.run();
            }
        } finally {
            pausing.unlock();
        }
    }

    @Override
    public void close() {
        closed = true;
        await(elections.close(), "Telling the leaders of its elections");
        await(engine.shutdown(), "Closing the lock registry");
        listeners.shutdown();
        threads.shutdown();
    }

    /** An interrupt does not end the waiting, and its flag is kept. */
    private void await(CompletableFuture<Void> done, String what) {
        try {
            done.copy().orTimeout(closeTimeout.toNanos(), TimeUnit.NANOSECONDS).join();
        } catch (CompletionException e) {
            log.warn("{} did not end within {}; its locks are free for others when the lease ends", what, closeTimeout);
        }
    }
}
