package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What a process runs on, with clocks that a test may set: its event loop, and what its listener has heard. */
public final class Machine extends NoOpEngineListener implements TimeSource {

    public final VirtualTime.Loop loop;

    private final VirtualTime time;

    /** What the process's listener was told, in plain words and in its order, since {@link #forgetEvents()}. */
    private final List<String> events = new ArrayList<>();

    /** How far the wall clock alone is ahead. */
    private Duration wallClockAhead = Duration.ZERO;

    /** How far the wall clock and the monotonic clock are ahead. */
    private Duration bothClocksAhead = Duration.ZERO;

    Machine(VirtualTime time) {
        this.time = time;
        this.loop = time.new Loop();
    }

    /** Lets the wall clock jump. */
    public void moveWallClock(Duration ahead) {
        wallClockAhead = wallClockAhead.plus(ahead);
    }

    /** Moves both clocks, as a time server does that slews them, so that neither jumps against the other. */
    public void slew(Duration ahead) {
        bothClocksAhead = bothClocksAhead.plus(ahead);
    }

    /** What the process's listener was told since {@link #forgetEvents()}. */
    public List<String> events() {
        return List.copyOf(events);
    }

    /** How many events begin with these words. */
    public long countEvents(String start) {
        return events.stream().filter(event -> event.startsWith(start)).count();
    }

    public void forgetEvents() {
        events.clear();
    }

    @Override
    public long nanos() {
        return time.nanos() + bothClocksAhead.toNanos();
    }

    @Override
    public Instant now() {
        return time.now().plus(wallClockAhead).plus(bothClocksAhead);
    }

    @Override
    public void queued(AcquireSpec spec, long number, long ahead) {
        events.add("queued behind " + ahead);
    }

    @Override
    public void ended(AcquireSpec spec, AcquireOutcome outcome, Duration waited, boolean wasQueued) {
        if (outcome instanceof AcquireOutcome.Granted) {
            events.add("acquired" + (wasQueued ? " in the queue" : ""));
        } else if (outcome instanceof AcquireOutcome.TimedOut) {
            events.add("timed out after " + waited);
        } else if (outcome instanceof AcquireOutcome.Evicted) {
            events.add("evicted");
        } else {
            events.add("abandoned after " + waited);
        }
    }

    @Override
    public void released(AcquireSpec spec, long number, Duration held) {
        events.add("released after " + held);
    }

    @Override
    public void lost(AcquireSpec spec, long number, Duration held, LossReason reason) {
        events.add("lost: " + reason);
    }

    @Override
    public void stayEnded(AcquireSpec leftBy, StayEnd how) {
        events.add("stay " + how);
    }

    @Override
    public void sessionStarted(SessionId session) {
        events.add("session started");
    }

    @Override
    public void sessionLost(SessionId session) {
        events.add("session lost");
    }

    @Override
    public void storeCallFailed(String operation, StoreFailure failure) {
        events.add("failed: " + operation);
    }
}
