package io.dynamolock.simulation;

import io.dynamolock.internal.engine.EngineSettings;
import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.protocol.SessionStep;
import io.dynamolock.store.LockStore;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Judges what one process sends: never too many calls at once, one heartbeat for each interval, looks no closer than
 * their pace. Knows from the answers how long the process may take its session for alive.
 */
final class CallReferee {

    /** Cleaning up has a little room of its own, and so have reads for people. */
    private static final int SHARE_OF_CLEANING_UP = 4;

    private static final int READS_FOR_PEOPLE = 4;

    private final EngineSettings settings;
    private final Promises promises;
    private final Deque<StoreCall> underWay = new ArrayDeque<>();
    private final Map<StoreCall, SessionId> sessionCalls = new HashMap<>();
    private final Map<SessionId, Long> proofs = new HashMap<>();
    private final Set<SessionId> begun = new HashSet<>();
    private final Map<StoreOperation, Integer> sent = new EnumMap<>(StoreOperation.class);
    private final Map<LockKey, LookPace> paces = new HashMap<>();
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
        if (call.operation == StoreOperation.BEGIN_SESSION) {
            return LockStore.timeToBegin(settings.callTimeout());
        }
        Duration quarter = settings.lease().dividedBy(4);
        boolean isBeat = call.operation == StoreOperation.BEAT;
        return isBeat && quarter.compareTo(settings.callTimeout()) < 0 ? quarter : settings.callTimeout();
    }

    /** The calls sent so far, by operation. */
    Map<StoreOperation, Integer> sent() {
        return new EnumMap<>(sent);
    }

    void sent(StoreCall call) {
        sent.merge(call.operation, 1, Integer::sum);
        boolean besideTheOthers = call.operation == StoreOperation.BEAT
                || call.operation == StoreOperation.BEGIN_SESSION
                || call.operation == StoreOperation.END_SESSION;
        if (besideTheOthers) {
            return;
        }
        long oldest = call.sentByOwnClock - settings.callTimeout().toNanos();
        underWay.removeIf(other -> other.hasEnded() || other.sentByOwnClock - oldest <= 0);
        underWay.add(call);
        int most = settings.maxCallsInFlight();
        promises.check(
                underWay.size() <= most + Math.max(1, most / SHARE_OF_CLEANING_UP) + READS_FOR_PEOPLE,
                call.process() + " has " + underWay.size() + " calls under way at once");
    }

    /** Something happened after which a look may come sooner. */
    void mayLook(LockKey key) {
        pace(key).allowOne();
    }

    void looks(StoreCall call, LockKey key, Duration shortestWait) {
        boolean tooSoon = !pace(key).look(call.sentByOwnClock, shortestWait);
        promises.check(!tooSoon, call.process() + " looks at " + key + " again and again");
    }

    private LookPace pace(LockKey key) {
        return paces.computeIfAbsent(key, absent -> new LookPace(settings.pollMin()));
    }

    void sessionSent(StoreCall call, SessionId id, SessionStep step) {
        if (step instanceof SessionStep.Begin) {
            promises.check(begun.add(id), call.process() + " begins a session twice");
            sessionCalls.put(call, id);
        } else if (step instanceof SessionStep.Beat) {
            beatSent(call, id);
        }
    }

    private void beatSent(StoreCall call, SessionId id) {
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
        if (id != null && showsThatItLives(call, answer)) {
            proofs.merge(id, call.sentByOwnClock, (one, other) -> one - other > 0 ? one : other);
            lastBeatAnswered |= call == lastBeat && isInTime(call);
        }
    }

    private static boolean showsThatItLives(StoreCall call, Object answer) {
        if (call.operation == StoreOperation.BEGIN_SESSION) {
            return answer instanceof Answer.Applied;
        }
        return answer instanceof Answer<?> shown && shown.item() instanceof Optional<?> session && session.isPresent();
    }

    /** Whether the client still waits for the answer. */
    boolean isInTime(StoreCall call) {
        return age(call).compareTo(patience(call)) < 0;
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
