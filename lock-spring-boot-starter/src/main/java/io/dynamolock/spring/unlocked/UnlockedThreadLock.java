package io.dynamolock.spring.unlocked;

import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import io.dynamolock.LockMode;
import io.dynamolock.LockRequest;
import io.dynamolock.ThreadLock;
import io.dynamolock.internal.Internals;
import io.dynamolock.internal.registry.AdoptableLock;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A lock that every thread gets at once. As {@link ThreadLock} says, it counts how often each thread has entered it. A
 * thread that shares the lock may also enter it exclusively, because a thread that never waits cannot wait for itself.
 * Has no state: {@link UnlockedThreadHolds} has the counts.
 */
final class UnlockedThreadLock implements AdoptableLock {

    /** The settings of a request that distinguish the locks of one key from each other. */
    private record Way(LockMode mode, OptionalInt permits, boolean downgradable) {}

    private final LockRequest request;
    private final UnlockedLockId id;
    private final UnlockedGrants grants;
    private final UnlockedThreadHolds holds;

    UnlockedThreadLock(LockRequest request, UnlockedGrants grants, UnlockedThreadHolds holds) {
        this.request = request;
        this.id = UnlockedLockId.of(request);
        this.grants = grants;
        this.holds = holds;
    }

    @Override
    public void lock() {
        grants.requireOpen(request);
        UnlockedThreadHolds.Hold hold = holds.get(id);
        if (hold == null) {
            holds.put(id, new UnlockedThreadHolds.Hold(grants.grant(request)));
        } else {
            hold.handle.ensureValid();
            hold.count++;
        }
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        lock();
    }

    @Override
    public boolean tryLock() {
        lock();
        return true;
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        lockInterruptibly();
        return true;
    }

    @Override
    public void unlock() {
        UnlockedThreadHolds.Hold hold = leave("unlock");
        boolean wasHeld = hold.count == 0 ? hold.handle.release() : hold.handle.isValid();
        if (!wasHeld) {
            throw new LockLostException(hold.handle, "was lost before it was unlocked: its registry was closed.", null);
        }
    }

    @Override
    public void disown() {
        leave("disown");
    }

    private UnlockedThreadHolds.Hold leave(String what) {
        UnlockedThreadHolds.Hold hold = holds.get(id);
        if (hold == null) {
            throw new IllegalMonitorStateException(
                    "The current thread doesn't own the " + id + ", so it cannot " + what + " it.");
        }
        hold.count--;
        if (hold.count == 0) {
            holds.remove(id);
        }
        return hold;
    }

    @Override
    public void adopt(LockHandle handle) {
        if (!handle.key().equals(id.key()) || !handle.namespace().equals(id.namespace())) {
            throw new IllegalArgumentException("The handle is on the "
                    + new UnlockedLockId(handle.key(), handle.namespace()) + ", not on the " + id + ".");
        }
        if (holds.get(id) != null) {
            throw new IllegalStateException(
                    "This thread holds the " + id + " already. Unlock it first, or keep to the handle that it has.");
        }
        if (!(handle instanceof UnlockedHandle own) || !grants.hasMade(own)) {
            throw new IllegalArgumentException("The handle on the " + id
                    + " was acquired from another registry. Only that registry's lock(...) can adopt it.");
        }
        if (own.isReleased()) {
            own.ensureValid();
        }
        holds.put(id, new UnlockedThreadHolds.Hold(own));
    }

    @Override
    public boolean isHeldByCurrentThread() {
        return holds.get(id) != null;
    }

    @Override
    public long holdCount() {
        UnlockedThreadHolds.Hold hold = holds.get(id);
        return hold == null ? 0 : hold.count;
    }

    @Override
    public Optional<LockHandle> handle() {
        return Optional.ofNullable(holds.get(id)).map(hold -> hold.handle);
    }

    private Way way() {
        return new Way(request.mode(), request.permits(), request.isDowngradable());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof UnlockedThreadLock that
                && holds == that.holds
                && id.equals(that.id)
                && way().equals(that.way());
    }

    @Override
    public int hashCode() {
        return id.hashCode();
    }

    @Override
    public String toString() {
        return "Lock[key=" + Internals.text(id.key(), id.namespace()) + ", namespace=" + id.namespace() + ", unlocked]";
    }
}
