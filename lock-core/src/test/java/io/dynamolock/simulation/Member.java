package io.dynamolock.simulation;

import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.LossReason;
import io.dynamolock.internal.engine.Unheard;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One process of the simulated cluster, its callers and what was heard of it. */
final class Member extends Unheard {

    /** A release that was asked for has landed after so long, if all is well. */
    private static final long ON_ITS_WAY = 1_000_000_000;

    final SimulatedLink link;
    final SimulatedProcess process;

    private final History history;
    private final Counts counts;
    private final Promises promises;
    private final VirtualTime time;
    private final GrantReferee grants;
    private final EvictionReferee evictions;
    private final boolean calm;
    private final Journal journal;
    private final Traces traces;
    private final Map<String, SimulatedCaller> callers = new HashMap<>();
    private final Map<LockKey, Set<SimulatedCaller>> waiting = new HashMap<>();

    @Nullable
    SessionId session;

    @Nullable
    CompletableFuture<Void> shutdown;

    long sessionSince = -1;
    long lastSessionLost = -1;

    Member(
            SimulatedLink link,
            VirtualTime time,
            SimulatedClock clock,
            long seed,
            History history,
            Counts counts,
            Promises promises,
            GrantReferee grants,
            EvictionReferee evictions,
            boolean calm,
            Twist twist,
            Traces traces,
            Journal journal) {
        this.link = link;
        this.history = history;
        this.counts = counts;
        this.promises = promises;
        this.time = time;
        this.grants = grants;
        this.evictions = evictions;
        this.calm = calm;
        this.journal = journal;
        this.traces = traces;
        this.process = new SimulatedProcess(link.process(), time, clock, link, link.settings(), seed, this, twist);
        link.serve(this);
    }

    EvictionReferee evictions() {
        return evictions;
    }

    String name() {
        return process.name();
    }

    boolean isShutDown() {
        return shutdown != null;
    }

    /** Runs callers' code: neither killed nor stopped. */
    boolean isRunning() {
        return !process.isDead() && shutdown == null;
    }

    void add(SimulatedCaller caller) {
        callers.put(caller.name, caller);
        waiting.computeIfAbsent(caller.key(), absent -> new LinkedHashSet<>()).add(caller);
    }

    void waitEnded(SimulatedCaller caller) {
        waitingFor(caller.key()).remove(caller);
    }

    Set<SimulatedCaller> waitingFor(LockKey key) {
        return waiting.computeIfAbsent(key, absent -> new LinkedHashSet<>());
    }

    /** Whether another caller has waited for the lock or has held it since this one came. */
    boolean othersWanted(SimulatedCaller caller) {
        return callers.values().stream()
                .anyMatch(other -> other != caller
                        && other.key().equals(caller.key())
                        && other.endedAt >= caller.arrivedAt - ON_ITS_WAY);
    }

    boolean hasWaiting() {
        for (Set<SimulatedCaller> callersOfOne : waiting.values()) {
            if (!callersOfOne.isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** The shortest time that one of those who look would wait. */
    Duration shortestWait(LockKey key) {
        Duration shortest = Duration.ofDays(1);
        for (SimulatedCaller caller : waitingFor(key)) {
            Duration limit = caller.spec.waitLimit();
            if (!limit.isZero() && limit.compareTo(shortest) < 0) {
                shortest = limit;
            }
        }
        return shortest;
    }

    /** The process has an answer that shows all that was written up to then. */
    void knows(StoreCall call, LockKey key, long landed) {
        // Its engine hears of the answer first.
        process.afterAll(() -> process.afterAll(() -> grants.mustNotice(this, key, call.sentAt, landed)));
    }

    /** @param tooLate whether the release was asked for when the grant was over by every measure */
    void saysItHeld(SimulatedCaller caller, boolean owned, boolean tooLate) {
        caller.saidItHeld = owned;
        promises.check(
                !owned || !tooLate,
                caller + " is told that it held " + caller.key() + " to the end though it was over");
        grants.mustNotHold(caller, owned);
    }

    /** The caller releases its grant, or leaves it behind. */
    void givesBack(SimulatedCaller caller, long number) {
        journal.letGo(name(), caller.key(), number);
    }

    private void hear(AcquireSpec spec, String event) {
        SimulatedCaller caller = callers.get(spec.name());
        if (caller != null) {
            boolean goesOn = event.equals("queued") || event.equals("acquired");
            caller.endedAt = goesOn ? Long.MAX_VALUE : time.nanos();
            caller.heard.add(event);
            counts.add("heard " + event);
        }
    }

    @Override
    public void queued(AcquireSpec spec, long number, long ahead) {
        history.add(name(), spec.name(), "is queued", spec.key(), number, "behind", ahead);
        hear(spec, "queued");
    }

    @Override
    public void acquired(AcquireSpec spec, long number, Duration waited, boolean wasQueued) {
        hear(spec, "acquired");
    }

    @Override
    public void timedOut(AcquireSpec spec, Duration waited) {
        hear(spec, "timedOut");
    }

    @Override
    public void evicted(AcquireSpec spec, Duration waited) {
        SimulatedCaller caller = callers.get(spec.name());
        if (caller != null) {
            evictions.putOut(caller);
        }
        hear(spec, "evicted");
    }

    @Override
    public void abandoned(AcquireSpec spec, Duration waited) {
        hear(spec, "abandoned");
    }

    @Override
    public void released(AcquireSpec spec, long number, Duration held) {
        history.add(name(), spec.name(), "has released", spec.key(), number);
        journal.released(name(), spec.key(), number);
        hear(spec, "released");
    }

    @Override
    public void lost(AcquireSpec spec, long number, Duration held, LossReason reason) {
        history.add(name(), spec.name(), "has lost", spec.key(), number, reason);
        counts.add("lost: " + reason);
        journal.lost(name(), spec.key(), number, reason);
        SimulatedCaller caller = callers.get(spec.name());
        if (caller != null && (reason == LossReason.MAX_HOLD || reason == LossReason.EVICTED)) {
            grants.isForcedOut(caller);
        }
        if (caller != null && reason == LossReason.EVICTED) {
            evictions.putOutOfTheLock(caller);
        }
        if (caller != null && reason == LossReason.TAKEN_AWAY) {
            grants.isTakenAway(caller);
        }
        hear(spec, "lost");
    }

    @Override
    public void sessionStarted(SessionId started) {
        history.add(name(), "session started", started);
        counts.add("sessions");
        session = started;
        journal.sessionStarted(name(), started);
        sessionSince = time.nanos();
    }

    @Override
    public void sessionLost(SessionId lost) {
        history.add(name(), "session lost", lost);
        counts.add("sessions lost");
        session = null;
        journal.sessionLost(name());
        traces.lost(lost);
        lastSessionLost = time.nanos();
        promises.check(!calm, name() + " loses its session though nothing is wrong");
    }
}
