package io.dynamolock.simulation;

import io.dynamolock.engine.AcquireSpec;
import io.dynamolock.engine.LossReason;
import io.dynamolock.store.LockKey;
import io.dynamolock.store.SessionId;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One process of the simulated cluster, its callers and what was heard of it. */
final class Member extends Unheard {

    final SimulatedLink link;
    final SimulatedProcess process;

    private final History history;
    private final Counts counts;
    private final Promises promises;
    private final VirtualTime time;
    private final GrantReferee grants;
    private final boolean calm;
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
            boolean calm) {
        this.link = link;
        this.history = history;
        this.counts = counts;
        this.promises = promises;
        this.time = time;
        this.grants = grants;
        this.calm = calm;
        this.process = new SimulatedProcess(link.process(), time, clock, link, link.settings(), seed, this);
        link.serve(process);
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

    boolean hasWaiting() {
        for (Set<SimulatedCaller> callersOfOne : waiting.values()) {
            if (!callersOfOne.isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** A release that was asked for when the grant was over by every measure. */
    void saysAfterItsEnd(SimulatedCaller caller, boolean owned) {
        promises.check(!owned, caller + " is told that it held " + caller.key() + " to the end though it was over");
    }

    private void hear(AcquireSpec spec, String event) {
        SimulatedCaller caller = callers.get(spec.name());
        if (caller != null) {
            caller.heard.add(event);
            counts.add("heard " + event);
        }
    }

    @Override
    public void queued(AcquireSpec spec, long number, long ahead) {
        SimulatedCaller caller = callers.get(spec.name());
        if (caller != null) {
            caller.numberAtFirst = number;
        }
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
    public void abandoned(AcquireSpec spec, Duration waited) {
        hear(spec, "abandoned");
    }

    @Override
    public void released(AcquireSpec spec, long number, Duration held) {
        history.add(name(), spec.name(), "has released", spec.key(), number);
        hear(spec, "released");
    }

    @Override
    public void lost(AcquireSpec spec, long number, Duration held, LossReason reason) {
        history.add(name(), spec.name(), "has lost", spec.key(), number, reason);
        counts.add("lost: " + reason);
        SimulatedCaller caller = callers.get(spec.name());
        if (caller != null && reason == LossReason.MAX_HOLD) {
            grants.isForcedOut(caller);
        }
        hear(spec, "lost");
    }

    @Override
    public void sessionStarted(SessionId started) {
        history.add(name(), "session started", started);
        counts.add("sessions");
        session = started;
        sessionSince = time.nanos();
    }

    @Override
    public void sessionLost(SessionId lost) {
        history.add(name(), "session lost", lost);
        counts.add("sessions lost");
        session = null;
        lastSessionLost = time.nanos();
        promises.check(!calm, name() + " loses its session though nothing is wrong");
    }
}
