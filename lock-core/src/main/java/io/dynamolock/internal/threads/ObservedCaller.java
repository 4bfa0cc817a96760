package io.dynamolock.internal.threads;

import io.dynamolock.LockObserver;
import io.dynamolock.LockRequest;
import io.dynamolock.internal.engine.AcquireOutcome;
import io.dynamolock.internal.engine.Acquisition;
import io.dynamolock.internal.text.SafeFailure;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One caller, and the observer's {@link LockObserver.Attempt} that is told about it. No lock depends on the observer:
 * an exception that it throws is logged. Thread-safe.
 */
public final class ObservedCaller {

    private static final Logger log = LoggerFactory.getLogger(ObservedCaller.class);

    /** A caller that no observer is told about. */
    public static final ObservedCaller UNOBSERVED = new ObservedCaller(null);

    private final LockObserver.@Nullable Attempt attempt;
    /** Whether the observer was told of the end of the hold. Set once. */
    private final AtomicBoolean endTold = new AtomicBoolean();

    private ObservedCaller(LockObserver.@Nullable Attempt attempt) {
        this.attempt = attempt;
    }

    public static ObservedCaller begin(@Nullable LockObserver observer, LockRequest request) {
        if (observer == null) {
            return UNOBSERVED;
        }
        try {
            LockObserver.Attempt attempt = observer.requested(request);
            return attempt == null ? UNOBSERVED : new ObservedCaller(attempt);
        } catch (Throwable e) {
            failed(e);
            return UNOBSERVED;
        }
    }

    public boolean isObserved() {
        return attempt != null;
    }

    /** The caller's wait is over. To be called once. */
    public void answered(AcquireOutcome outcome, Acquisition acquisition) {
        if (outcome instanceof AcquireOutcome.Granted granted) {
            tell(told -> told.granted(granted.grant().ticket(), acquisition.ahead()));
        } else if (outcome instanceof AcquireOutcome.Evicted) {
            tell(told -> told.evicted(acquisition.ahead()));
        } else {
            boolean timedOut = outcome instanceof AcquireOutcome.TimedOut;
            tell(told -> told.notGranted(timedOut, acquisition.ahead()));
        }
    }

    /**
     * The caller's hold is over. Only the first call counts.
     *
     * @param stillOurs whether the lock was released in time; if not, it was lost
     */
    public void ended(boolean stillOurs) {
        if (endTold.compareAndSet(false, true)) {
            tell(stillOurs ? LockObserver.Attempt::released : LockObserver.Attempt::lost);
        }
    }

    private void tell(Consumer<LockObserver.Attempt> news) {
        if (attempt != null) {
            try {
                news.accept(attempt);
            } catch (Throwable e) {
                failed(e);
            }
        }
    }

    private static void failed(Throwable e) {
        log.error("The lock observer failed; locks are not affected", SafeFailure.of(e));
    }
}
