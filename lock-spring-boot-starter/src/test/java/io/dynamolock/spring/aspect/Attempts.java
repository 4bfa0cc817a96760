package io.dynamolock.spring.aspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.FakeLockRegistry;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Bodies of a method that is tried again, and how often they were. */
public final class Attempts {

    private final FakeLockRegistry locks;
    private final List<Boolean> released = new CopyOnWriteArrayList<>();

    public Attempts(FakeLockRegistry locks) {
        this.locks = locks;
    }

    public int count() {
        return released.size();
    }

    private void begin() {
        released.add(locks.lastHandle().isReleased());
    }

    public String failsTwice() {
        begin();
        if (count() < 3) {
            throw new IllegalStateException("not yet");
        }
        return "done";
    }

    /** Loses its lock, and finds out by itself. */
    public String losesItsLock() {
        begin();
        locks.lastHandle().loseUntold();
        locks.lastHandle().ensureValid();
        throw new AssertionError();
    }

    /** Fails for a reason of its own after its lock is lost, and is not asked about the lock. */
    public String failsAfterALoss() {
        begin();
        locks.lastHandle().lose();
        throw new IllegalStateException("broken");
    }

    /** Is interrupted when its lock is lost, and fails because of that. */
    public String failsWhenInterruptedByALoss() {
        begin();
        locks.lastHandle().lose();
        if (!Thread.interrupted()) {
            throw new AssertionError("not interrupted");
        }
        throw new IllegalStateException("interrupted");
    }

    public void wereThreeUnderOneLock() {
        assertThat(released).containsExactly(false, false, false);
        assertThat(locks.requests).hasSize(1);
        assertThat(locks.lastHandle().isReleased()).isTrue();
    }
}
