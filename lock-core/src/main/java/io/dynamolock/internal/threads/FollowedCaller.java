package io.dynamolock.internal.threads;

import io.dynamolock.LockObserver;
import io.dynamolock.LockRequest;
import io.dynamolock.internal.engine.AcquireOutcome;
import io.dynamolock.internal.engine.Acquisition;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One caller as its observer follows it. No lock depends on the observer: whatever it throws is logged. Thread-safe. */
public final class FollowedCaller {

    private static final Logger log = LoggerFactory.getLogger(FollowedCaller.class);

    /** Nobody follows this one. */
    public static final FollowedCaller UNSEEN = new FollowedCaller(null);

    private final LockObserver.@Nullable Attempt attempt;
    private final AtomicBoolean holdOver = new AtomicBoolean();

    private FollowedCaller(LockObserver.@Nullable Attempt attempt) {
        this.attempt = attempt;
    }

    public static FollowedCaller begin(@Nullable LockObserver observer, LockRequest request) {
        if (observer == null) {
            return UNSEEN;
        }
        try {
            LockObserver.Attempt attempt = observer.requested(request);
            return attempt == null ? UNSEEN : new FollowedCaller(attempt);
        } catch (Throwable e) {
            failed(e);
            return UNSEEN;
        }
    }

    public boolean isFollowed() {
        return attempt != null;
    }

    /** Its wait is over; said once. */
    public void answered(AcquireOutcome outcome, Acquisition acquisition) {
        if (outcome instanceof AcquireOutcome.Granted granted) {
            tell(known -> known.granted(granted.grant().ticket(), acquisition.ahead()));
        } else {
            boolean timedOut = outcome instanceof AcquireOutcome.TimedOut;
            tell(known -> known.notGranted(timedOut, acquisition.ahead()));
        }
    }

    /** Its hold is over; the first to say so is heard. */
    public void ended(boolean stillOurs) {
        if (holdOver.compareAndSet(false, true)) {
            tell(stillOurs ? LockObserver.Attempt::released : LockObserver.Attempt::lost);
        }
    }

    private void tell(Consumer<LockObserver.Attempt> what) {
        if (attempt != null) {
            try {
                what.accept(attempt);
            } catch (Throwable e) {
                failed(e);
            }
        }
    }

    private static void failed(Throwable e) {
        log.error("The lock observer failed; locks are not affected", e);
    }
}
