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
    private static final List<String> REASONS = List.of("session-lost", "max-hold", "taken-away", "closed");

    private final MeterRegistry meters;

    /** The counters of losses exist from now on: an alert on a meter that is not there would never be raised. */
    public LockMeters(MeterRegistry meters) {
        this.meters = meters;
        meters.counter(SESSIONS_LOST);
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

    @Override
    public void queued(LockEvent.Queued event) {
        recordDepth(event.name(), event.ahead());
    }

    @Override
    public void acquired(LockEvent.Acquired event) {
        if (!event.queued()) {
            recordDepth(event.name(), 0);
        }
        recordWait(event.name(), "acquired", event.waited());
    }

    @Override
    public void timedOut(LockEvent.TimedOut event) {
        recordWait(event.name(), "timeout", event.waited());
    }

    @Override
    public void abandoned(LockEvent.Abandoned event) {
        recordWait(event.name(), "abandoned", event.waited());
    }

    @Override
    public void released(LockEvent.Released event) {
        recordHold(event.name(), "released", event.held());
    }

    @Override
    public void lost(LockEvent.Lost event) {
        recordHold(event.name(), "lost", event.held());
        lost(event.name(), event.reason()).increment();
    }

    @Override
    public void sessionLost(LockEvent.SessionLost event) {
        meters.counter(SESSIONS_LOST).increment();
    }

    @Override
    public void storeCallFailed(LockEvent.StoreCallFailed event) {
        meters.counter("dynamo.lock.store.errors", "operation", event.operation())
                .increment();
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
