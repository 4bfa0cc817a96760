package io.dynamolock.spring;

import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import io.dynamolock.LockRegistry;
import io.dynamolock.internal.AdoptableLock;
import io.dynamolock.internal.text.SafeText;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One lock of one call that ends when it returns. Confined to the thread of the call, but for its end: a transaction may be
 * completed by another one.
 */
final class CallLock {

    private static final Logger LOG = LoggerFactory.getLogger(CallLock.class);

    /** Whether this call has to end what it has begun, and how. */
    private enum Entry {
        NONE,
        /** An outer locked method ends it. */
        INNER,
        /** By {@link LockRegistry#lock(io.dynamolock.LockRequest)} before this call, and once more by it. */
        AGAIN,
        TAKEN,
        /** A transaction ends it. */
        TAKEN_FOR_TRANSACTION
    }

    private final LockedCall call;
    private final WantedLock wanted;
    private final LockId id;
    private Entry entry = Entry.NONE;
    private @Nullable HeldByThread held;

    /** The same lock as the registry knows it by this thread; none below an outer method, which has it. */
    private @Nullable AdoptableLock ofThread;

    CallLock(LockedCall call, WantedLock wanted) {
        this.call = call;
        this.wanted = wanted;
        this.id = wanted.id(call.registry());
    }

    WantedLock wanted() {
        return wanted;
    }

    /**
     * Enters the lock if this thread holds it: by an outer locked method, or by
     * {@link LockRegistry#lock(io.dynamolock.LockRequest)}.
     *
     * @throws LockLostException if the thread held it, and has lost it
     * @throws IllegalStateException if the thread shares it with others, and the method wants it alone
     */
    boolean enterAgain() {
        HeldByThread outer = LocksOfThread.find(id);
        if (outer != null) {
            outer.lock().ensureCovers(wanted.request(), wanted.method().description());
            held = outer;
            entry = Entry.INNER;
            return true;
        }
        AdoptableLock lock = (AdoptableLock) call.answered(call.registry().lock(wanted.request()));
        ofThread = lock;
        LockHandle handle = lock.handle().orElse(null);
        if (handle == null) {
            return false;
        }
        // Not known to inner locked methods: they enter by the registry again, which knows how the lock is held.
        if (handle.isValid() || wanted.mindsLoss()) {
            lock.lock();
            entry = Entry.AGAIN;
        }
        held = new HeldByThread(id, new UsedLock(handle, wanted.request().mode()), lock);
        return true;
    }

    /** This thread holds the lock by this handle from now on. */
    void take(LockHandle handle) {
        HeldByThread taken =
                new HeldByThread(id, new UsedLock(handle, wanted.request().mode()), ofThread());
        held = taken;
        entry = Entry.TAKEN;
        LocksOfThread.add(taken);
    }

    /**
     * If a transaction is active now, the lock is held until it has ended, and a loss before rolls it back. What this call has not
     * taken is not its own to keep.
     */
    void stayForTransaction() {
        if (entry == Entry.TAKEN) {
            if (TransactionEnd.await(held(), this::release)) {
                entry = Entry.TAKEN_FOR_TRANSACTION;
            }
        } else if (wanted.mindsLoss()) {
            TransactionCheck.register(held());
        }
    }

    private AdoptableLock ofThread() {
        return Objects.requireNonNull(ofThread, "no outer method has it");
    }

    private HeldByThread held() {
        return Objects.requireNonNull(held, "the lock is held");
    }

    CurrentLock current() {
        return new CurrentLock(call.registry(), held().lock().handle());
    }

    @Nullable
    Object run(MethodBody body) throws Throwable {
        return held().run(body, wanted.method().onLost());
    }

    void leave() {
        if (entry == Entry.TAKEN) {
            release();
        } else if (entry == Entry.AGAIN) {
            unlock();
        }
    }

    private void release() {
        LocksOfThread.remove(held());
        held().lock().leave();
    }

    /** The work is done, and the registry goes on trying: a release that fails must not hide the result. */
    private void unlock() {
        try {
            ofThread().unlock();
        } catch (LockLostException told) {
            LOG.debug(
                    "A lock in namespace {} was lost before its method ended",
                    SafeText.quote(wanted.request().namespace()));
        } catch (RuntimeException e) {
            LOG.warn(
                    "The release of a lock in namespace {} failed",
                    SafeText.quote(wanted.request().namespace()),
                    e);
        }
    }
}
