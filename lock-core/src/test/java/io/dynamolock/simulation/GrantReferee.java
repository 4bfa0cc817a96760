package io.dynamolock.simulation;

import io.dynamolock.engine.AcquireOutcome;
import io.dynamolock.engine.Grant;
import io.dynamolock.internal.engine.EngineSettings;
import io.dynamolock.internal.engine.Kind;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.Entry;
import io.dynamolock.store.LockStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
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

    /** The longest poll interval of a calm seed, and a little more. */
    private static final Duration NOTICED_WITHIN = Duration.ofMillis(1600);

    private static final Set<FaultKind> CLOCK_FAULTS = EnumSet.of(
            FaultKind.MACHINE_PAUSE, FaultKind.WALL_CLOCK_SLIPS, FaultKind.WALL_CLOCK_JUMPS, FaultKind.CLOCK_RATES);

    private final VirtualTime time;
    private final Items truth;
    private final QueueReferee queues;
    private final Promises promises;
    private final History history;
    private final Counts counts;
    private final Traces traces;
    private final Journal journal;
    private final boolean calm;
    private final boolean callsAreAnswered;
    private final boolean clocksAreRight;
    private final List<SimulatedCaller> valid = new ArrayList<>();
    /** Those whose grants are over, and who have not released them. */
    private final List<SimulatedCaller> over = new ArrayList<>();

    private final Map<LockKey, SimulatedCaller> seenHeld = new HashMap<>();
    private final Company company;
    private final Map<LockKey, List<SimulatedCaller>> lastHolders = new HashMap<>();
    private final Map<LockKey, Integer> endingAtAnyTime = new HashMap<>();
    /** Those whose longest hold was over, or who were evicted, by the block that they held the lock with. */
    private final Map<BlockId, SimulatedCaller> forcedOut = new HashMap<>();
    /** The last caller that got a fence of each block. */
    private final Map<BlockId, SimulatedCaller> fenced = new HashMap<>();

    GrantReferee(
            VirtualTime time,
            Items truth,
            QueueReferee queues,
            Traces traces,
            Journal journal,
            Promises promises,
            History history,
            Counts counts,
            Faults faults) {
        this.time = time;
        this.truth = truth;
        this.queues = queues;
        this.traces = traces;
        this.journal = journal;
        this.callsAreAnswered = faults.callsAreAnswered();
        this.promises = promises;
        this.history = history;
        this.counts = counts;
        this.calm = faults.isCalm();
        this.company = queues.company();
        this.clocksAreRight = CLOCK_FAULTS.stream().noneMatch(faults::enabled);
        if (calm) {
            queues.whenFirst(this::noticesThatItIsFirst);
        }
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
                isNotBelievedTooLong(caller, remaining);
                if (isEvicted(caller)) {
                    counts.add("checks of a grant whose item was removed");
                    continue;
                }
                holds(caller, grant);
                SimulatedCaller other = seenHeld.putIfAbsent(caller.key(), caller);
                if (other != null
                        && !Company.mayHoldTogether(caller, other)
                        && !caller.isDowngrading
                        && !other.isDowngrading) {
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

    private void holds(SimulatedCaller caller, Grant grant) {
        SessionId session = Objects.requireNonNull(caller.session);
        if (!Company.isInFront(caller, truth.lock(caller.key()))) {
            promises.broken(caller + " has a valid grant of " + caller.key() + " with " + grant.number() + " and block "
                    + caller.block + ", but the table says: " + truth.lock(caller.key()));
        }
        if (truth.session(session).isEmpty()) {
            promises.broken(caller + " has a valid grant of " + caller.key() + " under a session that is dead");
        }
        isTheOnlyOneWithAFence(caller);
    }

    /** A fence holds while its block is first, so nobody else may hold the lock by that block. */
    void asksForAFence(SimulatedCaller caller) {
        Grant grant = Objects.requireNonNull(caller.grant);
        if (caller.member.process.isDead()) {
            return;
        }
        grant.fence().ifPresent(block -> {
            counts.add("fences");
            history.add(caller.member.name(), caller.name, "has a fence of", caller.key(), block);
            fenced.put(block, caller);
            promises.check(!caller.released, caller + " has a fence of " + caller.key() + ", which it gave back");
            promises.check(
                    block.equals(caller.block) || queues.wasEvicted(caller.member.name(), caller.key()),
                    caller + " has a fence of block " + block + ", but holds " + caller.key() + " by " + caller.block);
        });
    }

    private void isTheOnlyOneWithAFence(SimulatedCaller caller) {
        SimulatedCaller other = caller.block == null ? null : fenced.get(caller.block);
        promises.check(
                other == null || other == caller,
                caller + " has a valid grant of " + caller.key() + ", and the fence of " + other + " still holds");
    }

    private void isNotBelievedTooLong(SimulatedCaller caller, Duration remaining) {
        SessionId session = Objects.requireNonNull(caller.session);
        if (remaining.compareTo(caller.member.link.referee().mayBelieveIn(session)) > 0) {
            promises.broken(caller + " takes its grant of " + caller.key() + " for valid for longer than a lease after"
                    + " the sending of its last heartbeat");
        }
        Duration ofMaxHold = caller.restOfMaxHold();
        if (ofMaxHold != null && remaining.compareTo(ofMaxHold) > 0) {
            promises.broken(caller + " takes its grant of " + caller.key() + " for valid beyond its maxHold");
        }
    }

    /** Whether the item under which it holds the lock was removed: that cannot be known before an answer shows it. */
    private boolean isEvicted(SimulatedCaller caller) {
        BlockId block = caller.block;
        return block == null || queues.isEvicted(block);
    }

    /** The process has an answer about this lock that was asked for then, and shows what there was when it landed. */
    void mustNotice(Member member, LockKey key, long asked, long landed) {
        long evictedAt = queues.evictedAt(key);
        for (SimulatedCaller caller : valid) {
            boolean shown = caller.member == member
                    && caller.key().equals(key)
                    && isEvicted(caller)
                    && asked > caller.grantedAt
                    && landed >= evictedAt
                    && caller.grantedAt <= evictedAt
                    // A late copy of its ask has put it into the new item.
                    && (caller.block == null || truth.lock(key).indexOf(caller.block) < 0);
            if (shown && !caller.released && !member.process.isDead()) {
                promises.check(
                        !Objects.requireNonNull(caller.grant).isValid(),
                        caller + " does not notice that the item of " + key + " was removed");
            }
        }
    }

    /** Nobody takes away a lock but by removing its item. */
    void isTakenAway(SimulatedCaller caller) {
        SessionId session = Objects.requireNonNull(caller.session);
        // An item that was removed may have had greater tickets: what is heard of it late looks newer.
        boolean wasOfAnotherClock = !clocksAreRight && queues.evictedAt(caller.key()) >= 0;
        promises.check(
                isEvicted(caller) || truth.session(session).isEmpty() || wasOfAnotherClock,
                caller + " is told that " + caller.key() + " was taken away, but it was not");
    }

    /** What a release says of a lock whose item was removed, when the process has heard that its block was not there. */
    void mustNotHold(SimulatedCaller caller, boolean owned) {
        BlockId block = caller.block;
        promises.check(
                !owned
                        || block == null
                        || !queues.isEvicted(block)
                        || queues.hasLeft(block)
                        // The loss of the session may come before an answer that has been there for a moment.
                        || !Objects.equals(caller.session, caller.member.session)
                        || !caller.member.link.knowsToBeGone(block),
                caller + " is told that it held " + caller.key() + " to the end, but its item was removed");
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
                    SimulatedProcess process = caller.member.process;
                    boolean stalledSince = process.stalledNanos() != stalled || process.isBusy();
                    if (!stalledSince && !process.isDead() && !caller.released) {
                        promises.check(
                                caller.heard.contains("lost") && caller.timesToldOfLoss == 1,
                                caller + " was not told that it lost " + caller.key());
                    }
                },
                patience);
    }

    /** The caller's longest hold is over: called within the step that takes the lock away. */
    void isForcedOut(SimulatedCaller caller) {
        BlockId block = caller.block;
        if (block != null && !caller.releasedInTime) {
            forcedOut.put(block, caller);
        }
    }

    /** Called within the step that decides the outcome. */
    void decided(SimulatedCaller caller, AcquireOutcome outcome) {
        caller.outcome = outcome;
        Member member = caller.member;
        member.waitEnded(caller);
        endsOnTime(caller, outcome);
        getsWhatIsFree(caller, outcome);
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
        caller.grantedAt = time.nanos();
        caller.block = blockOf(caller, grant.number());
        journal.granted(caller.member.name(), caller.key(), grant.number());
        if (caller.block != null) {
            queues.granted(caller.block);
        }
        numberRises(caller, grant.number());
        promises.check(!caller.member.isShutDown(), caller + " is granted a lock after the shutdown began");
        promises.check(grant.isValid(), caller + " is granted " + caller.key() + " when that is over already");
        inOrder(caller);
        underANewId(caller);
        notBeforeItsTime(caller);
        valid.add(caller);
        check();
    }

    /** The block that is first, which must be the caller's own; else the item was removed under it. */
    private @Nullable BlockId blockOf(SimulatedCaller caller, long number) {
        Entry first = truth.lock(caller.key()).first();
        boolean wasEvicted = queues.wasEvicted(caller.member.name(), caller.key());
        if (caller.kind != Kind.EXCLUSIVE) {
            BlockId block = Objects.requireNonNull(caller.grant).block();
            boolean isThere = truth.lock(caller.key()).indexOf(block) >= 0;
            boolean isLate = wasEvicted && (traces.isStray(block) || !queues.isIssued(caller.key(), number));
            promises.check(
                    isThere || wasEvicted,
                    caller + " is granted " + caller.key() + " by " + block + ", but the table says: "
                            + truth.lock(caller.key()));
            return isThere && !isLate ? block : null;
        }
        if (first != null && first.session().equals(caller.session)) {
            // What a late ask, or one that did not wait for the answer to an earlier step, has put into a new item, is
            // not what it was granted the lock with.
            boolean isOther = traces.isStray(first.block()) || !queues.isIssued(caller.key(), number);
            return wasEvicted && isOther ? null : first.block();
        }
        promises.check(
                wasEvicted,
                caller + " is granted " + caller.key() + ", but the table says: " + truth.lock(caller.key()));
        return null;
    }

    /** It holds the lock as a reader from now on. */
    void goesOn(SimulatedCaller caller) {
        if (caller.block != null) {
            queues.granted(caller.block);
        }
    }

    private void numberRises(SimulatedCaller caller, long number) {
        long last = company.lastBefore(caller);
        // The tickets of a new item start from the clock of the process that asks, when it asked first.
        long evictedAt = queues.evictedAt(caller.key());
        boolean byAnotherClock = evictedAt >= 0
                && (!clocksAreRight || caller.arrivedAt <= evictedAt || queues.isBegunLate(caller.key()));
        boolean excused = caller.block == null || byAnotherClock;
        promises.check(
                excused || number > last,
                caller + " is granted " + caller.key() + " with " + number + " after " + last);
        promises.check(
                excused || number <= lastTicket(caller),
                caller + " is granted " + caller.key() + " with " + number + ", which is not one of its block's: "
                        + truth.lock(caller.key()));
        company.isGranted(caller, number, byAnotherClock);
        company.isOneOfThePermits(
                caller,
                1
                        + valid.stream()
                                .filter(other -> other.key().equals(caller.key())
                                        && Objects.requireNonNull(other.grant).isValid()
                                        && !isEvicted(other))
                                .count());
    }

    private long lastTicket(SimulatedCaller caller) {
        int index = caller.block == null ? -1 : truth.lock(caller.key()).indexOf(caller.block);
        return index < 0 ? 0 : truth.lock(caller.key()).lastTicket(index);
    }

    private void underANewId(SimulatedCaller caller) {
        if (caller.kind == Kind.READ) {
            // Readers have no fence that goes by the block.
            return;
        }
        SimulatedCaller before = caller.block == null ? null : forcedOut.get(caller.block);
        if (before != null && !before.releasedInTime) {
            promises.broken(caller + " is granted " + caller.key() + " under the block id of " + before
                    + ", who was forced out and may still be running");
        }
    }

    /** Somebody wants a place of this lock given up: that ends a shortest hold before its time. */
    void mayEndSoon(LockKey key) {
        lastHolders.remove(key);
    }

    /** A process looks for a place of its own, and gives it up at once if it is there. */
    void mayEndAtAnyTime(LockKey key, boolean isAsked) {
        mayEndSoon(key);
        endingAtAnyTime.merge(key, isAsked ? 1 : -1, Integer::sum);
    }

    /** One who holds at least so long may give the lock back, or stop, before: nobody gets it until then. */
    private void notBeforeItsTime(SimulatedCaller caller) {
        List<SimulatedCaller> holders = lastHolders.computeIfAbsent(caller.key(), absent -> new ArrayList<>());
        for (SimulatedCaller before : List.copyOf(holders)) {
            boolean shares = before.isDowngrading && caller.kind == Kind.READ;
            if (!shares && !Company.mayHoldTogether(before, caller)) {
                holders.remove(before);
                if (endingAtAnyTime.getOrDefault(caller.key(), 0) == 0) {
                    notBeforeItsTime(caller, before);
                }
            }
        }
        holders.add(caller);
    }

    private void notBeforeItsTime(SimulatedCaller caller, SimulatedCaller before) {
        if (before.heard.contains("lost") || isEvicted(caller) || isEvicted(before)) {
            return;
        }
        // A caller that has left before it could use its grant keeps nothing.
        Duration atLeast = before.abandoned ? null : before.spec.holdAtLeast();
        SessionId session = before.session;
        boolean lives = before.member.isRunning()
                && session != null
                && session.equals(before.member.session)
                && truth.session(session).isPresent();
        boolean isKept = clocksAreRight && before.block != null && traces.isKept(before.block);
        if (isKept) {
            counts.add("grants of a lock that was kept");
        }
        promises.check(
                atLeast == null
                        || !lives && !isKept
                        || byOwnClock(before, before.grantedByOwnClock).compareTo(atLeast) >= 0,
                caller + " is granted " + caller.key() + " though " + before + " holds it for at least " + atLeast);
    }

    /** Callers of one process come in the order in which they came, but for those who do not wait. */
    private void inOrder(SimulatedCaller caller) {
        if (caller.spec.waitLimit().isZero()) {
            return;
        }
        for (SimulatedCaller other : caller.member.waitingFor(caller.key())) {
            boolean lostItsPlace = queues.wasEvicted(caller.member.name(), caller.key());
            if (other.kind == caller.kind
                    && other.order < caller.order
                    && !other.spec.waitLimit().isZero()
                    && !lostItsPlace) {
                promises.broken(caller + " is granted " + caller.key() + " before " + other + ", who came first");
                return;
            }
        }
    }

    /** When all is well, a block that comes first without a write of its own process is not first for long in vain. */
    private void noticesThatItIsFirst(LockKey key, BlockId first) {
        time.schedule(
                () -> {
                    int place = truth.lock(key).indexOf(first);
                    boolean isStillFirst = place >= 0 && truth.lock(key).holds(place);
                    promises.check(
                            !isStillFirst || queues.wasGranted(first),
                            first + " has been first in " + key + " for long, and nobody has been granted the lock");
                },
                NOTICED_WITHIN);
    }

    /** When nothing happens to calls, no attempt fails, and nobody goes away from a lock that was free all the time. */
    private void getsWhatIsFree(SimulatedCaller caller, AcquireOutcome outcome) {
        if (!callsAreAnswered) {
            return;
        }
        promises.check(
                !(outcome instanceof AcquireOutcome.Failed) || !clocksAreRight,
                caller + " fails though all calls are answered");
        if (calm && outcome instanceof AcquireOutcome.TimedOut) {
            boolean free = !queues.othersStoodSince(caller.arrivedAt, caller.member.name(), caller.key())
                    && !caller.member.othersWanted(caller);
            promises.check(!free, caller + " does not get " + caller.key() + ", which nobody else wants");
        }
    }

    private void endsOnTime(SimulatedCaller caller, AcquireOutcome outcome) {
        Duration waited = byOwnClock(caller, caller.arrivedByOwnClock);
        Duration stalled = Duration.ofNanos(caller.member.process.stalledNanos() - caller.stalledBefore);
        Duration limit = caller.spec.waitLimit();
        EngineSettings settings = caller.member.link.settings();
        // One answer that it has asked for, and no more.
        Duration oneTry = calm
                ? Duration.ofSeconds(1)
                : settings.callTimeout()
                        .multipliedBy(8)
                        .plus(LockStore.timeToBegin(settings.callTimeout()))
                        .plusSeconds(2);
        if (limit.compareTo(Duration.ofDays(1)) < 0) {
            boolean isShort = limit.compareTo(settings.callTimeout()) < 0;
            Duration most = isShort ? Collections.max(List.of(limit.plus(A_MOMENT), oneTry)) : limit.plus(A_MOMENT);
            promises.check(
                    waited.compareTo(most.plus(stalled.multipliedBy(2))) <= 0,
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
        Boolean said = caller.saidItHeld;
        promises.check(
                said == null || events.contains(said ? "released" : "lost"),
                caller + " was told by its release " + said + ", and was heard of as " + events);
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
            right = events.size() == 1 && events.get(0).equals(endOf(outcome));
        }
        promises.check(
                right,
                caller + " ended as " + describe(outcome) + ", was heard of as " + caller.heard
                        + ", and was told of a loss " + caller.timesToldOfLoss + " times");
    }

    private static String endOf(AcquireOutcome outcome) {
        if (outcome instanceof AcquireOutcome.TimedOut) {
            return "timedOut";
        }
        return outcome instanceof AcquireOutcome.Evicted ? "evicted" : "abandoned";
    }

    private static String describe(@Nullable AcquireOutcome outcome) {
        return outcome == null ? "nothing" : outcome.getClass().getSimpleName();
    }
}
