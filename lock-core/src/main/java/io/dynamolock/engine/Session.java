package io.dynamolock.engine;

import io.dynamolock.internal.engine.EngineSettings;
import io.dynamolock.internal.engine.LossReason;
import io.dynamolock.internal.engine.TimeSource;
import io.dynamolock.internal.protocol.SessionId;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * This process's session and how long it is certainly alive: from the <em>sending</em> of its last successful beat for
 * one lease less a margin, by the monotonic clock and by the wall clock, whichever says expired first. The monotonic
 * clock stands still while a virtual machine is frozen. Once over, it stays over. Thread-safe, but for the numbers of its
 * blocks and the lead of its wall clock, which belong to the event loop.
 */
final class Session {

    private final SessionId id;
    private final Duration validFor;
    private final Duration heartbeat;
    private final TimeSource time;
    private final Sending created;
    private volatile Sending beaten;
    private volatile boolean over;
    private volatile boolean paused;
    private long blocks;
    private Duration greatestLead = Duration.ZERO;

    /** When a beat was sent, by both clocks. */
    record Sending(long nanos, Instant at) {

        static Sending now(TimeSource time) {
            return new Sending(time.nanos(), time.now());
        }
    }

    Session(SessionId id, EngineSettings settings, TimeSource time, Sending created) {
        this.id = id;
        this.validFor = settings.lease().minus(settings.driftMargin());
        this.heartbeat = settings.heartbeat();
        this.time = time;
        this.created = created;
        this.beaten = created;
    }

    SessionId id() {
        return id;
    }

    /** The number of a new block; the first is 1. */
    long nextBlock() {
        return ++blocks;
    }

    boolean isValid() {
        return !remaining().isZero();
    }

    /** Zero once it is over. */
    Duration remaining() {
        if (over) {
            return Duration.ZERO;
        }
        Sending last;
        Duration byMonotonicClock;
        Duration byWallClock;
        do {
            last = beaten;
            byMonotonicClock = validFor.minusNanos(time.nanos() - last.nanos());
            byWallClock = validFor.minus(Duration.between(last.at(), time.now()));
            // The thread may have stood still before it read the clocks, while beats got through.
        } while (last != beaten);
        Duration remaining = byMonotonicClock.compareTo(byWallClock) < 0 ? byMonotonicClock : byWallClock;
        if (remaining.isNegative() || remaining.isZero()) {
            over = true;
            return Duration.ZERO;
        }
        return remaining;
    }

    /**
     * Whether it would go on for a while by the monotonic clock: the wall clock was set ahead, or this machine stood still.
     * Without heartbeats it ends by whichever clock is a little ahead of the other.
     */
    boolean isOverByWallClockAlone() {
        Duration byMonotonicClock = validFor.minusNanos(time.nanos() - beaten.nanos());
        return !isValid() && byMonotonicClock.compareTo(heartbeat) > 0;
    }

    /**
     * How far the wall clock has fallen back behind its greatest lead over the monotonic clock at any sending so far. The
     * monotonic clock stands still each time the machine does: measured from the beginning, that would hide a fall.
     */
    Duration wallClockFellBack(Sending sending) {
        Duration lead = Duration.between(created.at(), sending.at()).minusNanos(sending.nanos() - created.nanos());
        if (lead.compareTo(greatestLead) > 0) {
            greatestLead = lead;
        }
        return greatestLead.minus(lead);
    }

    /** A beat sent then got through. */
    void extend(Sending beat) {
        beaten = beat;
    }

    /** Ends it by its process's own wish, unless it is over. On any thread; told on the event loop as an event of its own. */
    void pause() {
        if (isValid()) {
            paused = true;
            over = true;
        }
    }

    boolean isPaused() {
        return paused;
    }

    /** Why what was held under it is lost; {@code null} while it is valid. */
    @Nullable
    LossReason loss() {
        if (isValid()) {
            return null;
        }
        return paused ? LossReason.PAUSED : LossReason.SESSION_LOST;
    }

    Instant createdAt() {
        return created.at();
    }

    Instant beatenAt() {
        return beaten.at();
    }

    void end() {
        over = true;
    }
}
