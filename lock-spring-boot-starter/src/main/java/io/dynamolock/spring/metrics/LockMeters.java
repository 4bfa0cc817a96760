package io.dynamolock.spring.metrics;

import io.dynamolock.LockEvent;
import io.dynamolock.LockListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;

/** Counts and times what a registry does. Tags carry the name of a lock, never its key. Thread-safe. */
public final class LockMeters implements LockListener {

    private static final String SESSIONS_LOST = "dynamo.lock.sessions.lost";

    /** As {@link LockEvent.Lost} lists them. */
    private static final List<String> REASONS =
            List.of("session-lost", "max-hold", "taken-away", "evicted", "closed", "paused");

    /** As {@link LockEvent.Throttled} lists them. */
    private static final List<String> THROTTLED_FOR =
            List.of("key-range", "table-capacity", "table-maximum", "index", "account", "unknown");

    private final MeterRegistry meters;

    /** These counters exist from now on: an alert on a meter that is not there would never be raised. */
    public LockMeters(MeterRegistry meters) {
        this.meters = meters;
        meters.counter(SESSIONS_LOST);
        THROTTLED_FOR.forEach(this::throttled);
    }

    /** As the constructor does for all, for the losses of the locks of that name. */
    public void expect(String name) {
        REASONS.forEach(reason -> lost(name, reason));
    }

    private Counter lost(String name, String reason) {
        return Counter.builder("dynamo.lock.lost")
                .description("Locks lost while they were held")
                .tags("name", name, "reason", reason)
                .register(meters);
    }

    private Counter throttled(String reason) {
        return Counter.builder("dynamo.lock.throttled")
                .description("Calls for locks that DynamoDB throttled")
                .tags("reason", reason)
                .register(meters);
    }

    @Override
    public void heard(LockEvent event) {
        if (event instanceof LockEvent.Queued queued) {
            recordDepth(queued.name(), queued.ahead());
        } else if (event instanceof LockEvent.Acquired acquired) {
            if (!acquired.queued()) {
                recordDepth(acquired.name(), 0);
            }
            recordWait(acquired.name(), "acquired", acquired.waited());
        } else if (event instanceof LockEvent.TimedOut timedOut) {
            recordWait(timedOut.name(), "timeout", timedOut.waited());
        } else if (event instanceof LockEvent.Evicted evicted) {
            recordWait(evicted.name(), "evicted", evicted.waited());
        } else if (event instanceof LockEvent.Abandoned abandoned) {
            recordWait(abandoned.name(), "abandoned", abandoned.waited());
        } else if (event instanceof LockEvent.Released released) {
            recordHold(released.name(), "released", released.held());
        } else if (event instanceof LockEvent.Lost lost) {
            recordHold(lost.name(), "lost", lost.held());
            lost(lost.name(), lost.reason()).increment();
        } else if (event instanceof LockEvent.SessionLost) {
            meters.counter(SESSIONS_LOST).increment();
        } else if (event instanceof LockEvent.StoreCallFailed failed) {
            meters.counter("dynamo.lock.store.errors", "operation", failed.operation())
                    .increment();
        } else if (event instanceof LockEvent.Throttled throttled) {
            throttled(throttled.reason()).increment();
        }
    }

    private void recordWait(String name, String outcome, Duration waited) {
        Timer.builder("dynamo.lock.wait")
                .description("How long callers waited for a lock")
                .tags("name", name, "outcome", outcome)
                .register(meters)
                .record(waited);
    }

    private void recordHold(String name, String outcome, Duration held) {
        Timer.builder("dynamo.lock.hold")
                .description("How long locks were held")
                .tags("name", name, "outcome", outcome)
                .register(meters)
                .record(held);
    }

    private void recordDepth(String name, long ahead) {
        DistributionSummary.builder("dynamo.lock.queue.depth")
                .description("How many callers were ahead when a caller entered the queue; 0 without queueing")
                .tags("name", name)
                .register(meters)
                .record(ahead);
    }
}
