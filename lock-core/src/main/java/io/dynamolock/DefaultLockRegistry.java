package io.dynamolock;

import io.dynamolock.engine.AcquireOutcome;
import io.dynamolock.engine.AcquireSpec;
import io.dynamolock.engine.Acquisition;
import io.dynamolock.engine.Inspection;
import io.dynamolock.engine.LockEngine;
import io.dynamolock.protocol.LockKey;
import io.dynamolock.store.StoreFailure;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns the engine's futures and outcomes into what users call. */
final class DefaultLockRegistry implements LockRegistry {

    private static final Logger log = LoggerFactory.getLogger(DefaultLockRegistry.class);

    private final LockEngine engine;
    private final RegistryThreads threads;
    private final ListenerQueue listeners;
    private final Elections elections;
    private final Fences fences;
    private final int keyPrefixBytes;
    private final Duration closeTimeout;
    private final ThreadHolds threadHolds = new ThreadHolds();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile boolean closed;

    DefaultLockRegistry(
            LockEngine engine,
            RegistryThreads threads,
            ListenerQueue listeners,
            Pauses pauses,
            Fences fences,
            int keyPrefixBytes,
            Duration closeTimeout) {
        this.engine = engine;
        this.threads = threads;
        this.listeners = listeners;
        this.elections = new Elections(this::acquireAsync, threads.leaders(), pauses);
        this.fences = fences;
        this.keyPrefixBytes = keyPrefixBytes;
        this.closeTimeout = closeTimeout;
    }

    @Override
    public LockHandle acquire(String key, Duration wait) {
        return acquire(LockRequest.of(key).wait(wait));
    }

    @Override
    public LockHandle acquire(LockRequest request) {
        AcquireSpec spec = checked(request, LockRequest.FOREVER);
        return granted(spec, await(spec));
    }

    @Override
    public Optional<LockHandle> tryAcquire(String key) {
        return tryAcquire(LockRequest.of(key));
    }

    @Override
    public Optional<LockHandle> tryAcquire(LockRequest request) {
        AcquireSpec spec = checked(request, Duration.ZERO);
        AcquireOutcome outcome = await(spec);
        return outcome instanceof AcquireOutcome.TimedOut ? Optional.empty() : Optional.of(granted(spec, outcome));
    }

    @Override
    public CompletableFuture<LockHandle> acquireAsync(LockRequest request) {
        AcquireSpec spec = checked(request, LockRequest.FOREVER);
        Acquisition acquisition = engine.acquire(spec);
        CompletableFuture<AcquireOutcome> outcome = acquisition.outcome();
        CompletableFuture<LockHandle> result = new CompletableFuture<>();
        result.whenComplete((handle, failure) -> {
            // Cancelled, or completed by somebody else. Without effect where the acquisition itself has failed.
            if (failure != null || !outcome.isDone()) {
                acquisition.abandon();
            }
        });
        outcome.thenAcceptAsync(ended -> settle(result, spec, ended), threads.async());
        return result;
    }

    private void settle(CompletableFuture<LockHandle> result, AcquireSpec spec, AcquireOutcome outcome) {
        if (outcome instanceof AcquireOutcome.Granted granted && result.isDone()) {
            granted.grant().release();
            return;
        }
        try {
            GrantHandle handle = granted(spec, outcome);
            if (!result.complete(handle)) {
                handle.startRelease();
            }
        } catch (LockException | IllegalStateException e) {
            result.completeExceptionally(e);
        }
    }

    @Override
    public <T> T withLock(String key, Duration wait, Callable<T> action) throws Exception {
        Objects.requireNonNull(action, "action");
        GrantHandle handle = (GrantHandle) acquire(key, wait);
        T result;
        try {
            result = action.call();
        } catch (Throwable failure) {
            if (!handle.release()) {
                failure.addSuppressed(lostWhileActionRan(handle));
            }
            throw failure;
        }
        if (!handle.release()) {
            throw lostWhileActionRan(handle);
        }
        return result;
    }

    private static LockLostException lostWhileActionRan(GrantHandle handle) {
        return handle.lostException("was lost while the action ran: " + handle.cause()
                + ". Another caller may have held it at the same time.");
    }

    @Override
    public void withLock(String key, Duration wait, Runnable action) {
        Objects.requireNonNull(action, "action");
        Callable<Boolean> callable = () -> {
            action.run();
            return true;
        };
        try {
            withLock(key, wait, callable);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("a Runnable throws no checked exception", e);
        }
    }

    @Override
    public Lock lock(String key) {
        AcquireSpec spec = checked(LockRequest.of(key), LockRequest.FOREVER);
        return new ReentrantLockView(this, threadHolds, spec);
    }

    @Override
    public LeaderElection elect(String name, LeaderListener listener) {
        Objects.requireNonNull(listener, "listener");
        LockRequest request = LockRequest.of(name)
                .namespace(LeaderElection.NAMESPACE)
                .name(name)
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
        LockKey lockKey =
                checked(LockRequest.of(key).namespace(namespace), Duration.ZERO).key();
        try {
            CompletableFuture<Inspection> inspection = engine.inspect(lockKey);
            // A look that is under way when the engine ends may never be answered.
            CompletableFuture.anyOf(inspection, ended).get();
            ensureOpen(lockKey);
            return Snapshots.of(lockKey, inspection.join());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LockInterruptedException(key, namespace, e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof StoreFailure failure) {
                throw LockStoreException.ofInspection(key, namespace, failure);
            }
            ensureOpen(lockKey);
            throw new IllegalStateException("inspecting failed", e.getCause());
        }
    }

    @Override
    public List<HeldLock> held() {
        if (closed) {
            return List.of();
        }
        return engine.held().stream()
                .map(grant -> new HeldLock(
                        grant.key().key(), grant.key().namespace(), grant.name(), grant.number(), grant.since()))
                .toList();
    }

    @Override
    public int waiting() {
        return closed ? 0 : engine.waiting();
    }

    @Override
    public void close() {
        closed = true;
        await(elections.close(), "Telling the leaders of its elections");
        await(engine.shutdown(), "Closing the lock registry");
        ended.complete(null);
        listeners.shutdown();
        threads.shutdown();
    }

    /** An interrupt ends the waiting, but not one from before. */
    private void await(CompletableFuture<Void> done, String what) {
        boolean interrupted = Thread.interrupted();
        try {
            done.get(closeTimeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
        } catch (TimeoutException | ExecutionException e) {
            log.warn("{} did not end within {}; its locks are free for others when the lease ends", what, closeTimeout);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private AcquireSpec checked(LockRequest request, Duration waitIfUnset) {
        Objects.requireNonNull(request, "request");
        if (keyPrefixBytes > 0) {
            LockNames.requireKey(request.key(), keyPrefixBytes);
        }
        AcquireSpec spec = request.toSpec(waitIfUnset);
        ensureOpen(spec.key());
        return spec;
    }

    /** Waits for the outcome; an interrupt, also one before the call, leaves the queue. */
    private AcquireOutcome await(AcquireSpec spec) {
        try {
            return awaitInterruptibly(spec);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LockInterruptedException(spec.key().key(), spec.key().namespace(), e);
        }
    }

    AcquireOutcome awaitInterruptibly(AcquireSpec spec) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        Acquisition acquisition = engine.acquire(spec);
        try {
            return acquisition.outcome().get();
        } catch (InterruptedException e) {
            acquisition.abandon();
            throw e;
        } catch (ExecutionException e) {
            throw new IllegalStateException("an acquisition never completes exceptionally", e);
        }
    }

    /** Waits for the outcome whatever happens, and keeps the interrupt flag. */
    AcquireOutcome awaitUninterruptibly(AcquireSpec spec) {
        return engine.acquire(spec).outcome().join();
    }

    /** The handle, or the exception that says why there is none. */
    GrantHandle granted(AcquireSpec spec, AcquireOutcome outcome) {
        String key = spec.key().key();
        String namespace = spec.key().namespace();
        if (outcome instanceof AcquireOutcome.Granted granted) {
            return new GrantHandle(granted.grant(), threads, fences);
        } else if (outcome instanceof AcquireOutcome.TimedOut timedOut) {
            throw new LockTimeoutException(key, namespace, timedOut.waited(), timedOut.ahead(), timedOut.holder());
        } else if (outcome instanceof AcquireOutcome.Failed failed) {
            throw LockStoreException.ofAcquisition(key, namespace, failed.waited(), failed.cause());
        } else if (outcome instanceof AcquireOutcome.Closed) {
            throw new LockClosedException(key, namespace);
        }
        throw new IllegalStateException("abandoned, but not by the caller: " + outcome);
    }

    void ensureOpen(LockKey key) {
        if (closed) {
            throw new LockClosedException(key.key(), key.namespace());
        }
    }
}
