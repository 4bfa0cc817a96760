package io.dynamolock.internal.registry;

import io.dynamolock.LeaderElection;
import io.dynamolock.LeaderListener;
import io.dynamolock.LockAdmin;
import io.dynamolock.LockHandle;
import io.dynamolock.LockListener;
import io.dynamolock.LockObserver;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.ThreadLock;
import io.dynamolock.internal.elections.Elections;
import io.dynamolock.internal.engine.AcquireOutcome;
import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.handles.Failures;
import io.dynamolock.internal.handles.GrantHandle;
import io.dynamolock.internal.handles.Requests;
import io.dynamolock.internal.threads.Futures;
import io.dynamolock.internal.threads.ListenerQueue;
import io.dynamolock.internal.threads.ShutdownHooks;
import io.dynamolock.internal.time.TimeSource;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;

/** Hands each call of a user to the part that does it. Thread-safe. */
public final class DefaultLockRegistry implements LockRegistry {

    private final Admission admission;
    private final Acquisitions acquisitions;
    private final Elections elections;
    private final LockAdmin admin;
    private final Lifecycle lifecycle;
    private final ListenerQueue listeners;
    private final TimeSource time;
    private final ThreadHolds threadHolds = new ThreadHolds();

    public DefaultLockRegistry(
            Admission admission,
            Acquisitions acquisitions,
            Elections elections,
            LockAdmin admin,
            Lifecycle lifecycle,
            ListenerQueue listeners,
            TimeSource time) {
        this.admission = admission;
        this.acquisitions = acquisitions;
        this.elections = elections;
        this.admin = admin;
        this.lifecycle = lifecycle;
        this.listeners = listeners;
        this.time = time;
    }

    @Override
    public LockHandle acquire(LockRequest request) {
        AcquireSpec spec = admission.ofUser(request);
        return acquisitions.granted(request, spec, acquisitions.await(request, spec));
    }

    @Override
    public Optional<LockHandle> tryAcquire(LockRequest request) {
        AcquireSpec spec = admission.ofUser(request, Duration.ZERO);
        EndedWait wait = acquisitions.await(request, spec);
        return wait.outcome() instanceof AcquireOutcome.TimedOut
                ? Optional.empty()
                : Optional.of(acquisitions.granted(request, spec, wait));
    }

    @Override
    public CompletableFuture<LockHandle> acquireAsync(LockRequest request) {
        return acquisitions.begin(request, admission.ofUser(request));
    }

    /**
     * Asks for each lock on the calling thread, so that a callback that blocks a thread of the registry does not
     * matter.
     */
    @Override
    public List<LockHandle> acquireAll(Collection<LockRequest> requests) {
        AtomicReference<AcquireSpec> asked = new AtomicReference<>();
        CompletableFuture<List<LockHandle>> locks = several(requests, Runnable::run, (request, notWanted) -> {
            AcquireSpec spec = admission.ofUser(request);
            asked.set(spec);
            EndedWait wait = acquisitions.await(request, spec, notWanted);
            return wait.outcome() instanceof AcquireOutcome.Abandoned
                    ? CompletableFuture.failedFuture(new CancellationException())
                    : CompletableFuture.completedFuture(acquisitions.grantedWithoutData(spec, wait));
        });
        return Futures.await(locks, interrupt -> {
            if (!locks.cancel(false)) {
                locks.thenAccept(handles -> handles.forEach(handle -> ((GrantHandle) handle).giveBack()));
            }
            return Failures.interrupted(Objects.requireNonNull(asked.get()), interrupt);
        });
    }

    @Override
    public CompletableFuture<List<LockHandle>> acquireAllAsync(Collection<LockRequest> requests) {
        return several(
                requests,
                acquisitions.executors().async(),
                (request, notWanted) -> acquisitions.beginWithoutData(request, admission.ofUser(request)));
    }

    /**
     * Checks all requests before the first call. Works on a copy, so that the caller may change its collection
     * meanwhile.
     */
    private CompletableFuture<List<LockHandle>> several(
            Collection<LockRequest> requests,
            Executor executor,
            BiFunction<LockRequest, CompletableFuture<Void>, CompletableFuture<LockHandle>> asking) {
        List<LockRequest> copies = requests.stream().map(Requests::byThisThread).toList();
        copies.forEach(admission::ofUser);
        return new SeveralLocks(copies, admission.defaultWait(), time, executor, asking).acquire();
    }

    @Override
    public ThreadLock lock(LockRequest request) {
        return new ReentrantLockView(admission, acquisitions, threadHolds, request, admission.ofUser(request));
    }

    @Override
    public LeaderElection elect(String name, LeaderListener listener) {
        Objects.requireNonNull(listener, "listener");
        LockRequest request = LockRequest.of(name)
                .namespace(LeaderElection.NAMESPACE)
                .name(name)
                .caller("leader election")
                .waitForever();
        admission.checked(request);
        return elections.begin(request, listener);
    }

    @Override
    public LockAdmin admin() {
        return admin;
    }

    /**
     * Adds a listener after the present ones. It hears what happens from now on. A listener that is there already is
     * not added again.
     */
    public void addListener(LockListener listener) {
        listeners.add(listener);
    }

    /**
     * Tells this observer about callers from now on, unless the registry has another observer already.
     *
     * @return whether this observer is told about callers now
     */
    public boolean observe(LockObserver observer) {
        return acquisitions.observe(observer);
    }

    /**
     * Lets nobody wait for a lock any longer than this, for a registry that is to be closed when its holders are done.
     * Then every wait ends with {@link io.dynamolock.LockClosedException}, and whoever comes later gets its lock at
     * once or not at all. Locks that are held stay.
     */
    public void endWaitsAfter(Duration longest) {
        lifecycle.endWaitsAfter(longest);
    }

    /** Has this registry closed when the virtual machine shuts down. To be called once, by whoever builds it. */
    public void closeAtShutdown(ShutdownHooks hooks) {
        lifecycle.closeAtShutdown(hooks);
    }

    @Override
    public void close() {
        lifecycle.close();
    }
}
