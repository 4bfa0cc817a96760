package io.dynamolock.simulation;

import io.dynamolock.engine.EngineSettings;
import io.dynamolock.store.BeatResult;
import io.dynamolock.store.SessionId;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Judges what one process sends: never too many calls at once, one heartbeat for each interval. Knows from the answers
 * how long the process may take its session for alive.
 */
final class CallReferee {

    private final EngineSettings settings;
    private final Promises promises;
    private final Deque<StoreCall> underWay = new ArrayDeque<>();
    private final Map<StoreCall, SessionId> sessionCalls = new HashMap<>();
    private final Map<SessionId, Long> proofs = new HashMap<>();
    private final Map<StoreOperation, Integer> sent = new EnumMap<>(StoreOperation.class);
    private @Nullable SimulatedProcess process;
    private @Nullable StoreCall lastBeat;
    private boolean lastBeatAnswered;

    CallReferee(EngineSettings settings, Promises promises) {
        this.settings = settings;
        this.promises = promises;
    }

    void watches(SimulatedProcess simulated) {
        process = simulated;
    }

    EngineSettings settings() {
        return settings;
    }

    /** When the client of the call gives up, counted from its sending. */
    Duration patience(StoreCall call) {
        boolean ofItsOwnSession =
                call.operation == StoreOperation.BEAT || call.operation == StoreOperation.CREATE_SESSION;
        Duration quarter = settings.lease().dividedBy(4);
        return ofItsOwnSession && quarter.compareTo(settings.callTimeout()) < 0 ? quarter : settings.callTimeout();
    }

    /** The calls sent so far, by operation. */
    Map<StoreOperation, Integer> sent() {
        return new EnumMap<>(sent);
    }

    void sent(StoreCall call) {
        sent.merge(call.operation, 1, Integer::sum);
        boolean besideTheOthers = call.operation == StoreOperation.BEAT
                || call.operation == StoreOperation.CREATE_SESSION
                || call.operation == StoreOperation.END_SESSION;
        if (besideTheOthers) {
            return;
        }
        long oldest = call.sentByOwnClock - settings.callTimeout().toNanos();
        underWay.removeIf(other -> other.hasEnded() || other.sentByOwnClock - oldest <= 0);
        underWay.add(call);
        promises.check(
                underWay.size() <= settings.maxCallsInFlight(),
                call.process() + " has " + underWay.size() + " calls under way at once");
    }

    void sessionSent(StoreCall call, SessionId id) {
        sessionCalls.put(call, id);
    }

    void beatSent(StoreCall call, SessionId id) {
        StoreCall before = lastBeat;
        if (before != null && id.equals(sessionCalls.get(before))) {
            Duration since = Duration.ofNanos(call.sentByOwnClock - before.sentByOwnClock);
            Duration least = lastBeatAnswered
                    ? settings.heartbeat()
                    : settings.heartbeat().multipliedBy(3).dividedBy(16);
            promises.check(
                    since.compareTo(least) >= 0, call.process() + " sends a heartbeat " + since + " after the last");
        }
        if (before != null) {
            sessionCalls.remove(before);
        }
        sessionCalls.put(call, id);
        lastBeat = call;
        lastBeatAnswered = false;
    }

    void answered(StoreCall call, Object answer) {
        SessionId id = sessionCalls.get(call);
        if (id != null && !(answer instanceof BeatResult.Gone)) {
            proofs.merge(id, call.sentByOwnClock, (one, other) -> one - other > 0 ? one : other);
            lastBeatAnswered |= call == lastBeat && age(call).compareTo(patience(call)) < 0;
        }
    }

    private Duration age(StoreCall call) {
        SimulatedProcess simulated = process;
        return simulated == null
                ? Duration.ZERO
                : Duration.ofNanos(simulated.clock().nanos() - call.sentByOwnClock);
    }

    /** How long, by its own clock, the process may take the session for alive at the most. */
    Duration mayBelieveIn(SessionId id) {
        Long proof = proofs.get(id);
        SimulatedProcess simulated = process;
        if (proof == null || simulated == null) {
            return Duration.ZERO;
        }
        return settings.lease()
                .minus(settings.driftMargin())
                .minusNanos(simulated.clock().nanos() - proof);
    }
}
