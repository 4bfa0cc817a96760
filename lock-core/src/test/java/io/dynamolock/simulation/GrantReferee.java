package io.dynamolock.simulation;

import io.dynamolock.engine.AcquireOutcome;
import io.dynamolock.engine.EngineSettings;
import io.dynamolock.engine.Grant;
import io.dynamolock.store.BlockId;
import io.dynamolock.store.Holder;
import io.dynamolock.store.LockKey;
import io.dynamolock.store.LockState;
import io.dynamolock.store.SessionId;
import io.dynamolock.store.memory.InMemoryLockStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Judges the grants after every step: one valid holder for each lock, and the table names it; numbers rise; a wait ends
 * when it should; callers of one process come in their order.
 */
final class GrantReferee {

    private static final Duration A_MOMENT = Duration.ofMillis(5);

    private static final Set<FaultKind> CLOCK_FAULTS = EnumSet.of(
            FaultKind.MACHINE_PAUSE, FaultKind.WALL_CLOCK_SLIPS, FaultKind.WALL_CLOCK_JUMPS, FaultKind.CLOCK_RATES);

    /** Whose longest hold is over, and the block id it held the lock under. */
    private record ForcedOut(SimulatedCaller caller, BlockId block) {}

    private final VirtualTime time;
    private final InMemoryLockStore truth;
    private final QueueReferee queues;
    private final Promises promises;
    private final History history;
    private final Counts counts;
    private final boolean calm;
    private final boolean clocksAreRight;
    private final List<SimulatedCaller> valid = new ArrayList<>();
    /** Those whose grants are over, and who have not released them. */
    private final List<SimulatedCaller> over = new ArrayList<>();

    private final Set<LockKey> seenHeld = new HashSet<>();
    private final Map<LockKey, Long> lastNumbers = new HashMap<>();
    private final Map<LockKey, SimulatedCaller> lastHolders = new HashMap<>();
    private final Map<LockKey, ForcedOut> forcedOut = new HashMap<>();

    GrantReferee(
            VirtualTime time,
            InMemoryLockStore truth,
            QueueReferee queues,
            Promises promises,
            History history,
            Counts counts,
            Faults faults) {
        this.time = time;
        this.truth = truth;
        this.queues = queues;
        this.promises = promises;
        this.history = history;
        this.counts = counts;
        this.calm = faults.isCalm();
        this.clocksAreRight = CLOCK_FAULTS.stream().noneMatch(faults::enabled);
    }

    /** The callers whose grants were valid when they were last asked. */
    List<SimulatedCaller> valid() {
        return valid;
    }

    /** Asks every grant whether it is valid, by the clocks of its process. */
    void check() {
        staysOver();
        if (valid.isEmpty()) {
            return;
        }
        seenHeld.clear();
        Iterator<SimulatedCaller> all = valid.iterator();
        while (all.hasNext()) {
            SimulatedCaller caller = all.next();
            Grant grant = Objects.requireNonNull(caller.grant);
            Duration remaining = grant.remainingValidity();
            if (remaining.isZero()) {
                all.remove();
                ended(caller);
            } else {
                holds(caller, grant, remaining);
                if (!seenHeld.add(caller.key())) {
                    promises.broken("two valid grants of " + caller.key() + ", one of them to " + caller);
                }
            }
        }
    }

    private void staysOver() {
        Iterator<SimulatedCaller> all = over.iterator();
        while (all.hasNext()) {
            SimulatedCaller caller = all.next();
            boolean comesBack = Objects.requireNonNull(caller.grant).isValid();
            promises.check(!comesBack, caller + " has a valid grant of " + caller.key() + " again after it was over");
            if (caller.released || caller.timesToldOfLoss > 0 || caller.member.process.isDead()) {
                all.remove();
            }
        }
    }

    private void holds(SimulatedCaller caller, Grant grant, Duration remaining) {
        LockState state = truth.lockState(caller.key());
        Holder holder = state.holder();
        SessionId session = Objects.requireNonNull(caller.session);
        if (holder == null || !holder.session().equals(session) || state.serving() < grant.number()) {
            promises.broken(caller + " has a valid grant of " + caller.key() + " with " + grant.number()
                    + ", but the table says: " + state);
        }
        if (truth.session(session).isEmpty()) {
            promises.broken(caller + " has a valid grant of " + caller.key() + " under a session that is dead");
        }
        if (remaining.compareTo(caller.member.link.referee().mayBelieveIn(session)) > 0) {
            promises.broken(caller + " takes its grant of " + caller.key() + " for valid for longer than a lease after"
                    + " the sending of its last heartbeat");
        }
        Duration ofMaxHold = caller.restOfMaxHold();
        if (ofMaxHold != null && remaining.compareTo(ofMaxHold) > 0) {
            promises.broken(caller + " takes its grant of " + caller.key() + " for valid beyond its maxHold");
        }
    }

    private void ended(SimulatedCaller caller) {
        EngineSettings settings = caller.member.link.settings();
        if (caller.released) {
            return;
        }
        long stalled = caller.member.process.stalledNanos();
        over.add(caller);
        Duration patience = clocksAreRight
                ? Duration.ofSeconds(1)
                : settings.lease().plus(settings.heartbeat()).plusSeconds(2);
        time.schedule(
                () -> {
                    boolean stalledSince = caller.member.process.stalledNanos() != stalled;
                    if (!stalledSince && !caller.member.process.isDead() && !caller.released) {
                        promises.check(
                                caller.heard.contains("lost") && caller.timesToldOfLoss == 1,
                                caller + " was not told that it lost " + caller.key());
                    }
                },
                patience);
    }

    /** The caller's longest hold is over: called within the step that takes the lock away. */
    void isForcedOut(SimulatedCaller caller) {
        Holder holder = truth.lockState(caller.key()).holder();
        if (holder != null && !caller.releasedInTime) {
            forcedOut.put(caller.key(), new ForcedOut(caller, holder.block()));
        }
    }

    /** Called within the step that decides the outcome. */
    void decided(SimulatedCaller caller, AcquireOutcome outcome) {
        caller.outcome = outcome;
        Member member = caller.member;
        member.waitEnded(caller);
        endsOnTime(caller, outcome);
        if (outcome instanceof AcquireOutcome.Granted granted) {
            granted(caller, granted.grant());
        } else {
            history.add(member.name(), caller.name, outcome.getClass().getSimpleName(), caller.key(), reason(outcome));
            counts.add("outcome " + outcome.getClass().getSimpleName());
        }
    }

    private static String reason(AcquireOutcome outcome) {
        return outcome instanceof AcquireOutcome.Failed failed ? failed.cause().getMessage() : "";
    }

    private void granted(SimulatedCaller caller, Grant grant) {
        counts.add("grants");
        history.add(caller.member.name(), caller.name, "GRANTED", caller.key(), grant.number());
        caller.grant = grant;
        caller.session = caller.member.session;
        caller.grantedByOwnClock = caller.member.process.clock().nanos();
        long last = lastNumbers.getOrDefault(caller.key(), 0L);
        promises.check(
                grant.number() > last,
                caller + " is granted " + caller.key() + " with " + grant.number() + " after " + last);
        lastNumbers.put(caller.key(), Math.max(last, grant.number()));
        promises.check(!caller.member.isShutDown(), caller + " is granted a lock after the shutdown began");
        promises.check(grant.isValid(), caller + " is granted " + caller.key() + " when that is over already");
        inOrder(caller, grant);
        underANewId(caller);
        notBeforeItsTime(caller);
        valid.add(caller);
        check();
    }

    private void underANewId(SimulatedCaller caller) {
        ForcedOut before = forcedOut.remove(caller.key());
        Holder holder = truth.lockState(caller.key()).holder();
        if (before != null
                && !before.caller().releasedInTime
                && holder != null
                && holder.block().equals(before.block())) {
            promises.broken(caller + " is granted " + caller.key()
                    + " under the block id of one whose maxHold was over and who may still be running");
        }
    }

    /** One who holds at least so long may give the lock back before: nobody gets it until then. */
    private void notBeforeItsTime(SimulatedCaller caller) {
        SimulatedCaller before = lastHolders.put(caller.key(), caller);
        if (before == null || before.heard.contains("lost")) {
            return;
        }
        Duration atLeast = before.spec.holdAtLeast();
        SessionId session = before.session;
        boolean lives = before.member.isRunning()
                && session != null
                && session.equals(before.member.session)
                && truth.session(session).isPresent();
        promises.check(
                atLeast == null
                        || !lives
                        || byOwnClock(before, before.grantedByOwnClock).compareTo(atLeast) >= 0,
                caller + " is granted " + caller.key() + " though " + before + " holds it for at least " + atLeast);
    }

    private void inOrder(SimulatedCaller caller, Grant grant) {
        if (caller.spec.waitLimit().isZero()) {
            return;
        }
        // Who came later and lost its place at the same moment is still behind.
        boolean tookNewNumber = caller.numberAtFirst > 0 && caller.numberAtFirst != grant.number();
        for (SimulatedCaller other : caller.member.waitingFor(caller.key())) {
            int disturbed = queues.timesDisturbedSince(other.arrivedAt, caller.member.name(), caller.key());
            boolean bothAtOnce = tookNewNumber && disturbed == 1 && caller.member.lastSessionLost < other.arrivedAt;
            boolean hadToTakeNewNumbers = disturbed > 0 && !bothAtOnce;
            if (other.order < caller.order
                    && !hadToTakeNewNumbers
                    && !other.spec.waitLimit().isZero()) {
                promises.broken(caller + " is granted " + caller.key() + " before " + other + ", who came first");
                return;
            }
        }
    }

    private void endsOnTime(SimulatedCaller caller, AcquireOutcome outcome) {
        Duration waited = byOwnClock(caller, caller.arrivedByOwnClock);
        Duration stalled = Duration.ofNanos(caller.member.process.stalledNanos() - caller.stalledBefore);
        Duration limit = caller.spec.waitLimit();
        EngineSettings settings = caller.member.link.settings();
        if (limit.isZero()) {
            Duration most = calm
                    ? Duration.ofSeconds(1)
                    : settings.callTimeout().multipliedBy(8).plusSeconds(2);
            promises.check(
                    waited.compareTo(most.plus(stalled.multipliedBy(2))) <= 0,
                    caller + ", who does not wait, waited for " + waited);
        } else if (limit.compareTo(Duration.ofDays(1)) < 0) {
            promises.check(
                    waited.compareTo(limit.plus(stalled.multipliedBy(2)).plus(A_MOMENT)) <= 0,
                    caller + ", who wanted to wait for " + limit + ", waited for " + waited);
            boolean tooEarly = outcome instanceof AcquireOutcome.TimedOut && waited.compareTo(limit) < 0;
            promises.check(!tooEarly, caller + ", who wanted to wait for " + limit + ", timed out after " + waited);
        } else {
            promises.check(!(outcome instanceof AcquireOutcome.TimedOut), caller + ", who never gives up, timed out");
        }
    }

    private static Duration byOwnClock(SimulatedCaller caller, long since) {
        return Duration.ofNanos(caller.member.process.clock().nanos() - since);
    }

    /** Whether every caller was heard of as often as it should. */
    void heardOf(SimulatedCaller caller) {
        if (caller.member.process.isDead()) {
            return;
        }
        AcquireOutcome outcome = caller.outcome;
        List<String> events = new ArrayList<>(caller.heard);
        events.remove("queued");
        boolean right;
        if (outcome == null) {
            right = false;
        } else if (outcome instanceof AcquireOutcome.Granted) {
            right = events.remove("acquired")
                    && events.size() == 1
                    && (events.get(0).equals("released") || events.get(0).equals("lost"))
                    && caller.timesToldOfLoss == (events.get(0).equals("lost") ? 1 : 0);
        } else if (events.isEmpty()) {
            right = caller.afterShutdown || caller.member.isShutDown() && caller.abandoned;
        } else {
            right = events.size() == 1
                    && events.get(0).equals(outcome instanceof AcquireOutcome.TimedOut ? "timedOut" : "abandoned");
        }
        promises.check(
                right,
                caller + " ended as " + describe(outcome) + ", was heard of as " + caller.heard
                        + ", and was told of a loss " + caller.timesToldOfLoss + " times");
    }

    private static String describe(@Nullable AcquireOutcome outcome) {
        return outcome == null ? "nothing" : outcome.getClass().getSimpleName();
    }
}
