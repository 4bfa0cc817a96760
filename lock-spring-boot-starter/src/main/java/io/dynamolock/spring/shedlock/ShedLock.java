package io.dynamolock.spring.shedlock;

import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import java.util.Optional;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

/** One grant until it is unlocked or extended; extended, it goes on as another of these, on the same handle. */
final class ShedLock extends AbstractSimpleLock {

    private final LockHandle handle;
    private final ShedLimits limits;

    ShedLock(LockConfiguration configuration, LockHandle handle, ShedLimits limits) {
        super(configuration);
        this.handle = handle;
        this.limits = limits;
    }

    /** Says nothing of a lock that was lost: ShedLock expects that of a method that ran for too long. */
    @Override
    protected void doUnlock() {
        handle.close();
    }

    @Override
    protected Optional<SimpleLock> doExtend(LockConfiguration newConfiguration) {
        ShedLimits extended = ShedLimits.of(newConfiguration).after(handle.held());
        try {
            // In either order the shortest hold is at no time longer than the longest, which would be refused.
            if (extended.most().compareTo(limits.least()) >= 0) {
                handle.setMaxHold(extended.most());
                handle.setHoldAtLeast(extended.least());
            } else {
                handle.setHoldAtLeast(extended.least());
                handle.setMaxHold(extended.most());
            }
        } catch (LockLostException e) {
            return Optional.empty();
        }
        return Optional.of(new ShedLock(newConfiguration, handle, extended));
    }
}
