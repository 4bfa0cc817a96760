package io.dynamolock.spring.shedlock;

import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import java.util.Optional;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

/** A held lock, until it is unlocked or extended. Extending makes a new object with the same handle. */
final class ShedLock extends AbstractSimpleLock {

    private final LockHandle handle;
    private final ShedLimits limits;

    ShedLock(LockConfiguration configuration, LockHandle handle, ShedLimits limits) {
        super(configuration);
        this.handle = handle;
        this.limits = limits;
    }

    /** Throws nothing if the lock was lost: ShedLock expects this after a method that ran for too long. */
    @Override
    protected void doUnlock() {
        handle.close();
    }

    @Override
    protected Optional<SimpleLock> doExtend(LockConfiguration newConfiguration) {
        ShedLimits extended = ShedLimits.of(newConfiguration).after(handle.held());
        try {
            // Ordered so that the shortest hold never exceeds the longest, which the handle would refuse.
            if (extended.maxHold().compareTo(limits.minHold()) >= 0) {
                handle.setMaxHold(extended.maxHold());
                handle.setHoldAtLeast(extended.minHold());
            } else {
                handle.setHoldAtLeast(extended.minHold());
                handle.setMaxHold(extended.maxHold());
            }
        } catch (LockLostException e) {
            return Optional.empty();
        }
        return Optional.of(new ShedLock(newConfiguration, handle, extended));
    }
}
