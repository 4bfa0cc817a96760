package io.dynamolock;

import io.dynamolock.ThreadHolds.Hold;
import io.dynamolock.engine.AcquireOutcome;
import io.dynamolock.engine.AcquireSpec;
import io.dynamolock.protocol.LockKey;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/** A lock as {@link java.util.concurrent} knows it. Has no state of its own. */
final class ReentrantLockView implements Lock {

    private final DefaultLockRegistry registry;
    private final ThreadHolds threadHolds;
    private final AcquireSpec forever;
    private final LockKey key;

    ReentrantLockView(DefaultLockRegistry registry, ThreadHolds threadHolds, AcquireSpec forever) {
        this.registry = registry;
        this.threadHolds = threadHolds;
        this.forever = forever;
        this.key = forever.key();
    }

    @Override
    public void lock() {
        if (!enterAgain()) {
            hold(registry.awaitUninterruptibly(forever));
        }
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        if (!enterAgain()) {
            hold(registry.awaitInterruptibly(forever));
        }
    }

    @Override
    public boolean tryLock() {
        Hold hold = threadHolds.get(key);
        if (hold != null && !mayAskAnew(hold)) {
            return tryEnterAgain(hold);
        }
        return tryHold(registry.awaitUninterruptibly(waiting(Duration.ZERO)));
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        Hold hold = threadHolds.get(key);
        if (hold != null && !mayAskAnew(hold)) {
            return tryEnterAgain(hold);
        }
        Duration wait = Duration.ofNanos(Math.max(0, unit.toNanos(time)));
        return tryHold(registry.awaitInterruptibly(waiting(wait)));
    }

    @Override
    public void unlock() {
        Hold hold = threadHolds.get(key);
        if (hold == null) {
            throw new IllegalMonitorStateException("This thread does not hold the "
                    + LockNames.describe(key.key(), key.namespace()) + ", so it cannot unlock it.");
        }
        boolean stillOurs;
        if (hold.leave()) {
            threadHolds.remove(key);
            stillOurs = hold.handle.release();
        } else {
            stillOurs = hold.handle.isValid();
        }
        if (!stillOurs) {
            throw lost(
                    hold,
                    "was lost before it was unlocked: " + hold.handle.cause()
                            + ". Another caller may have held it at the same time.");
        }
    }

    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException("A distributed lock has no conditions.");
    }

    /** @return whether this thread had the lock already */
    private boolean enterAgain() {
        registry.ensureOpen(key);
        Hold hold = threadHolds.get(key);
        if (hold == null) {
            return false;
        }
        if (!hold.handle.isValid()) {
            throw lost(
                    hold,
                    "was lost: " + hold.handle.cause()
                            + ". It cannot be entered again; unlock it as often as it was locked.");
        }
        hold.enterAgain();
        return true;
    }

    private static boolean tryEnterAgain(Hold hold) {
        if (!hold.handle.isValid()) {
            return false;
        }
        hold.enterAgain();
        return true;
    }

    /** Whether this hold is lost and a {@code tryLock} has said so before. */
    private static boolean mayAskAnew(Hold hold) {
        return !hold.handle.isValid() && hold.reportLoss();
    }

    private void hold(AcquireOutcome outcome) {
        Hold lost = threadHolds.put(key, new Hold(registry.granted(forever, outcome)));
        if (lost != null) {
            lost.handle.startRelease();
        }
    }

    private boolean tryHold(AcquireOutcome outcome) {
        if (outcome instanceof AcquireOutcome.TimedOut) {
            return false;
        }
        hold(outcome);
        return true;
    }

    private AcquireSpec waiting(Duration wait) {
        registry.ensureOpen(key);
        return new AcquireSpec(key, forever.name(), wait, null, null);
    }

    private static LockLostException lost(Hold hold, String whatHappened) {
        return hold.handle.lostException(whatHappened);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ReentrantLockView that && registry == that.registry && key.equals(that.key);
    }

    @Override
    public int hashCode() {
        return key.hashCode();
    }

    @Override
    public String toString() {
        return "Lock[key=" + key.key() + ", namespace=" + key.namespace() + "]";
    }
}
