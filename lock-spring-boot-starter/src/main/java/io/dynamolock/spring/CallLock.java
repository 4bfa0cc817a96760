package io.dynamolock.spring;

import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.ThreadLock;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One lock of one call. Confined to the thread of the call, but for its end: a transaction may be completed by another one. */
final class CallLock {

    private static final Logger LOG = LoggerFactory.getLogger(CallLock.class);

    private final LockRegistry registry;
    private final LockedMethod method;
    private final LockRequest request;
    private @Nullable HeldByThread held;

    /** By which this call has taken or entered the lock; {@code null} if an outer locked method does that. */
    private @Nullable ThreadLock entered;

    private boolean taken;

    CallLock(LockRegistry registry, LockedMethod method, LockRequest request) {
        this.registry = registry;
        this.method = method;
        this.request = request;
    }

    LockedMethod method() {
        return method;
    }

    LockRequest request() {
        return request;
    }

    boolean isSameAs(CallLock other) {
        return isOn(other.request.key(), other.request.namespace());
    }

    boolean isOn(String key, String namespace) {
        return request.key().equals(key) && request.namespace().equals(namespace);
    }

    /**
     * Enters the lock if this thread holds it: by an outer locked method, or by {@link LockRegistry#lock(LockRequest)}.
     *
     * @throws LockLostException if the thread held it, and has lost it
     * @throws IllegalStateException if the thread shares it with others, and the method wants it alone
     */
    boolean enterAgain() {
        HeldByThread outer = LocksOfThread.find(registry, request);
        if (outer != null) {
            outer.ensureCovers(request, method.description());
            held = outer;
            return true;
        }
        ThreadLock lock = Answers.of(registry.lock(request), method.description(), registry);
        LockHandle handle = lock.handle().orElse(null);
        if (handle == null) {
            return false;
        }
        // Not known to inner locked methods: they enter by the registry again, which knows how the lock is held.
        if (handle.isValid() || method.onLost() != OnLost.IGNORE) {
            lock.lock();
            entered = lock;
        }
        held = new HeldByThread(handle, request.mode());
        return true;
    }

    /** This thread holds the lock by this handle from now on. */
    void take(LockHandle handle) {
        ThreadLock lock = registry.lock(request);
        lock.adopt(handle);
        entered = lock;
        taken = true;
        HeldByThread now = new HeldByThread(handle, request.mode());
        held = now;
        LocksOfThread.add(registry, request, now);
    }

    /** Whether it is held until the transaction has ended that is active now. What this call has not taken is not its own to keep. */
    boolean staysForTransaction() {
        return taken && TransactionEnd.await(held(), this::leave);
    }

    HeldByThread held() {
        return Objects.requireNonNull(held, "the lock is held");
    }

    CurrentLock current() {
        return new CurrentLock(registry, held().handle());
    }

    @Nullable
    Object run(MethodBody body) throws Throwable {
        return held().run(body, method.onLost());
    }

    /** The work is done, and the registry goes on trying: a release that fails must not hide the result. */
    void leave() {
        ThreadLock lock = entered;
        if (lock == null) {
            return;
        }
        LocksOfThread.remove(registry, request, held());
        LockHandle handle = held().handle();
        try {
            if (lock.handle().orElse(null) == handle) {
                lock.unlock();
            } else if (taken) {
                // The transaction was completed by another thread.
                handle.close();
            }
        } catch (LockLostException told) {
            LOG.debug("A lock in namespace '{}' was lost before its method ended", handle.namespace());
        } catch (RuntimeException e) {
            LOG.warn("The release of a lock in namespace '{}' failed", handle.namespace(), e);
        }
    }
}
