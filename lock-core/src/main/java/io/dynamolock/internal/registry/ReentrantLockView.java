package io.dynamolock.internal.registry;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRequest;
import io.dynamolock.internal.engine.AcquireOutcome;
import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.handles.GrantHandle;
import io.dynamolock.internal.handles.Requests;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.registry.ThreadHolds.Hold;
import io.dynamolock.internal.text.LockNames;
import io.dynamolock.internal.text.PersonalText;
import io.dynamolock.internal.text.SafeText;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A lock as {@link java.util.concurrent} knows it. All holds are in {@link ThreadHolds}, and this object has no state.
 *
 * @param threadHolds the holds of all threads; one for each registry
 * @param spec the request as the engine takes it, with the thread that made this object as its caller
 */
record ReentrantLockView(
        Admission admission, Acquisitions acquisitions, ThreadHolds threadHolds, LockRequest request, AcquireSpec spec)
        implements AdoptableLock {

    @Override
    public void lock() {
        if (!enterAgain()) {
            // A new specification, because another thread than this one may have made this object.
            hold(acquisitions.awaitUninterruptibly(request, Requests.spec(request, LockRequest.FOREVER)));
        }
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        if (!enterAgain()) {
            hold(acquisitions.awaitInterruptibly(request, Requests.spec(request, admission.defaultWait())));
        }
    }

    @Override
    public boolean tryLock() {
        Hold hold = threadHolds.get(spec.key());
        if (hold != null && !noteLoss(hold)) {
            return tryEnterAgain(hold);
        }
        return tryHold(acquisitions.awaitUninterruptibly(request, waitingFor(Duration.ZERO)));
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        Hold hold = threadHolds.get(spec.key());
        if (hold != null && !noteLoss(hold)) {
            return tryEnterAgain(hold);
        }
        Duration wait = Duration.ofNanos(Math.max(0, unit.toNanos(time)));
        return tryHold(acquisitions.awaitInterruptibly(request, waitingFor(wait)));
    }

    @Override
    public void unlock() {
        Hold hold = leave("unlock");
        boolean stillOurs = hold.count() == 0 ? hold.handle.release() : hold.handle.isValid();
        if (!stillOurs) {
            throw hold.handle.lostException("was lost before it was unlocked" + GrantHandle.because(hold.handle)
                    + ". Another caller may have held it at the same time.");
        }
    }

    @Override
    public void disown() {
        Hold hold = leave("disown");
        if (hold.count() == 0) {
            acquisitions.left(hold.handle.grant());
        }
    }

    private Hold leave(String what) {
        Hold hold = threadHolds.get(spec.key());
        if (hold == null) {
            throw new IllegalMonitorStateException(
                    "The current thread doesn't own the " + describe() + ", so it cannot " + what + " it.");
        }
        if (hold.leave()) {
            threadHolds.remove(spec.key());
        }
        return hold;
    }

    @Override
    public boolean isHeldByCurrentThread() {
        return threadHolds.get(spec.key()) != null;
    }

    @Override
    public long holdCount() {
        Hold hold = threadHolds.get(spec.key());
        return hold == null ? 0 : hold.count();
    }

    @Override
    public Optional<LockHandle> handle() {
        return Optional.ofNullable(threadHolds.get(spec.key())).map(hold -> hold.handle);
    }

    @Override
    public void adopt(LockHandle handle) {
        LockKey other = new LockKey(handle.key(), handle.namespace());
        if (!other.equals(spec.key())) {
            throw new IllegalArgumentException(
                    "The handle is on the " + LockNames.describe(other) + ", not on the " + describe() + ".");
        }
        if (threadHolds.get(spec.key()) != null) {
            throw new IllegalStateException("This thread holds the " + describe()
                    + " already. Unlock it first, or keep to the handle that it has.");
        }
        if (!(handle instanceof GrantHandle granted)) {
            throw ofAnotherRegistry();
        }
        if (granted.isReleased()) {
            granted.ensureValid();
        }
        // A handle that was lost may be adopted: the thread hears of the loss whenever it enters again.
        if (!acquisitions.isHeld(granted.grant()) && granted.isValid()) {
            throw ofAnotherRegistry();
        }
        Thread inside = granted.lockedBy();
        if (inside != null && inside.isAlive()) {
            throw new IllegalStateException(
                    "The thread " + PersonalText.shown(SafeText.clean(inside.getName())) + " has locked the "
                            + describe()
                            + " itself, by this handle, and both would be inside. Let it disown() the lock first.");
        }
        acquisitions.taken(granted.grant());
        threadHolds.put(spec.key(), new Hold(granted));
    }

    private IllegalArgumentException ofAnotherRegistry() {
        return new IllegalArgumentException("The handle on the " + describe()
                + " was acquired from another registry. Only that registry's lock(...) can adopt it.");
    }

    /** @return whether this thread holds the lock already, so that it has entered again */
    private boolean enterAgain() {
        admission.ensureOpen(spec);
        Hold hold = threadHolds.get(spec.key());
        if (hold == null) {
            return false;
        }
        if (!hold.handle.isValid()) {
            throw hold.handle.lostException("was lost" + GrantHandle.because(hold.handle)
                    + ". It cannot be entered again; unlock it as often as it was locked.");
        }
        enterAgain(hold);
        return true;
    }

    private boolean tryEnterAgain(Hold hold) {
        if (!hold.handle.isValid()) {
            return false;
        }
        enterAgain(hold);
        return true;
    }

    /**
     * Enters the lock once more by a hold that is valid. Nobody waits for a hold that is lost.
     *
     * @throws IllegalStateException if the thread holds the lock in a way that does not let it enter again in this way
     */
    private void enterAgain(Hold hold) {
        if (!hold.covers(spec.kind())) {
            throw new IllegalStateException("This thread holds the " + describe()
                    + " together with others already, and would wait for itself to have it in another way. Take it"
                    + " exclusively in the first place, or unlock it before.");
        }
        hold.enterAgain();
    }

    /**
     * Notes that a {@code tryLock} tells of the loss, if this hold is lost.
     *
     * @return whether a {@code tryLock} has told of the loss before: then this one acquires the lock anew
     */
    private static boolean noteLoss(Hold hold) {
        return !hold.handle.isValid() && hold.reportLoss();
    }

    private void hold(EndedWait wait) {
        GrantHandle handle = acquisitions.granted(request, spec, wait);
        handle.setLockedBy(Thread.currentThread());
        Hold lost = threadHolds.put(spec.key(), new Hold(handle));
        if (lost != null) {
            lost.handle.releaseAsync();
        }
    }

    private boolean tryHold(EndedWait wait) {
        if (wait.outcome() instanceof AcquireOutcome.TimedOut) {
            return false;
        }
        hold(wait);
        return true;
    }

    private AcquireSpec waitingFor(Duration wait) {
        admission.ensureOpen(spec);
        return Requests.spec(request.waitTime(wait), wait);
    }

    private String describe() {
        return LockNames.describe(spec.key(), spec.name());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ReentrantLockView that
                && threadHolds == that.threadHolds
                && spec.key().equals(that.spec.key())
                && spec.kind() == that.spec.kind()
                && spec.permits() == that.spec.permits();
    }

    @Override
    public int hashCode() {
        return spec.key().hashCode();
    }

    @Override
    public String toString() {
        return "Lock[key=" + LockNames.text(spec.key().key(), spec.key().namespace()) + ", namespace="
                + spec.key().namespace() + "]";
    }
}
