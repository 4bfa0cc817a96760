package io.dynamolock;

import io.dynamolock.engine.Grant;
import io.dynamolock.protocol.BlockId;
import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;

/**
 * A handle on a grant. The engine knows the grant for as long as it lasts, and must not know the handle: a handle that
 * its user dropped is to be garbage collected, callbacks and all, and the grant then released.
 */
final class GrantHandle implements LockHandle {

    private static final Logger log = LoggerFactory.getLogger(GrantHandle.class);

    private final Grant grant;
    private final RegistryThreads threads;
    private final Fences fences;
    private final AtomicBoolean released = new AtomicBoolean();
    private final Cleaner.Cleanable dropped;

    private final Object monitor = new Object();
    private final List<Runnable> callbacks = new ArrayList<>();
    private boolean listening;
    private boolean lost;

    GrantHandle(Grant grant, RegistryThreads threads, Fences fences) {
        this.grant = grant;
        this.threads = threads;
        this.fences = fences;
        this.dropped = SharedCleaner.CLEANER.register(this, new ReleaseDropped(grant, released));
    }

    @Override
    public String key() {
        return grant.key().key();
    }

    @Override
    public String namespace() {
        return grant.key().namespace();
    }

    @Override
    public long fencingToken() {
        return grant.number();
    }

    @Override
    public boolean isValid() {
        return !released.get() && grant.isValid();
    }

    @Override
    public Duration remainingValidity() {
        return released.get() ? Duration.ZERO : grant.remainingValidity();
    }

    @Override
    public void ensureValid() {
        if (released.get() && !isKnownToBeLost()) {
            throw lostException("was released by this handle already; it is not held any more.");
        }
        if (!isValid()) {
            throw lostBefore();
        }
    }

    private LockLostException lostBefore() {
        return lostException("was lost: " + cause() + ". Another caller may hold it now.");
    }

    /** Why it was lost, for messages. */
    String cause() {
        return grant.loss()
                .map(reason -> switch (reason) {
                    case SESSION_LOST ->
                        "no heartbeat of this process got through within the lease, or another process took it for"
                                + " dead";
                    case MAX_HOLD -> "its maxHold is over";
                    case TAKEN_AWAY -> "its item in the table was changed or deleted by hand";
                    case CLOSED -> "its registry was closed";
                })
                .orElse("the reason is not known yet");
    }

    @Override
    public ConditionCheck fence() {
        ensureValid();
        BlockId block = grant.fence().orElseThrow(this::lostBefore);
        return fences.of(grant.key(), block);
    }

    private boolean isKnownToBeLost() {
        synchronized (monitor) {
            return lost;
        }
    }

    LockLostException lostException(String whatHappened) {
        return new LockLostException(key(), namespace(), fencingToken(), whatHappened);
    }

    @Override
    public void onLost(Runnable callback) {
        Objects.requireNonNull(callback, "callback");
        boolean listen;
        synchronized (monitor) {
            if (lost) {
                listen = false;
                threads.losses().execute(guarded(callback));
            } else {
                callbacks.add(callback);
                listen = !listening;
                listening = true;
            }
        }
        if (listen) {
            WeakReference<GrantHandle> self = new WeakReference<>(this);
            grant.onLost(() -> {
                GrantHandle handle = self.get();
                if (handle != null) {
                    handle.lost();
                }
            });
        }
    }

    private void lost() {
        List<Runnable> toCall;
        synchronized (monitor) {
            lost = true;
            toCall = List.copyOf(callbacks);
            callbacks.clear();
        }
        toCall.forEach(callback -> threads.losses().execute(guarded(callback)));
    }

    private static Runnable guarded(Runnable callback) {
        return () -> {
            try {
                callback.run();
            } catch (Throwable e) {
                log.error("A callback for a lost lock failed", e);
            }
        };
    }

    @Override
    public boolean release() {
        boolean wasValid = isValid();
        CompletableFuture<Boolean> answer = startRelease();
        try {
            return answer.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return wasValid;
        } catch (ExecutionException e) {
            throw new IllegalStateException("a release never completes exceptionally", e);
        }
    }

    @Override
    public CompletableFuture<Boolean> releaseAsync() {
        return startRelease().thenApplyAsync(stillOurs -> stillOurs, threads.async());
    }

    @Override
    public void close() {
        release();
    }

    /**
     * Completes on the event loop. That the lock was lost may turn out only here; until the answer, the handle and its
     * callbacks are kept by the future, for their user may keep them no longer.
     */
    CompletableFuture<Boolean> startRelease() {
        released.set(true);
        dropped.clean();
        return grant.release().thenApply(stillOurs -> {
            if (!stillOurs) {
                lost();
            }
            return stillOurs;
        });
    }

    @Override
    public String toString() {
        return "LockHandle[key=" + key() + ", namespace=" + namespace() + ", fencingToken=" + fencingToken()
                + ", valid=" + isValid() + "]";
    }

    /** Releases the grant of a handle that was garbage collected. Knows everything but the handle. */
    private record ReleaseDropped(Grant grant, AtomicBoolean released) implements Runnable {

        @Override
        public void run() {
            if (released.compareAndSet(false, true)) {
                // A lock that was lost, or whose registry is closed, needs nobody to release it.
                if (grant.isValid()) {
                    log.warn(
                            "A lock handle in namespace {} (fencing token {}) was dropped without being closed; releasing"
                                    + " the lock now. Close every handle, best with try-with-resources.",
                            grant.key().namespace(),
                            grant.number());
                    log.debug("The dropped handle was for key {}", grant.key().key());
                }
                grant.release();
            }
        }
    }

    /** One thread for all registries, started with the first handle. */
    private static final class SharedCleaner {

        static final Cleaner CLEANER = Cleaner.create();
    }
}
