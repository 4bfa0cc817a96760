package io.dynamolock.simulation;

import io.dynamolock.internal.engine.Kind;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.Mode;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Who may hold a lock beside whom, and with which numbers: a writer alone, readers with readers, permits with permits and
 * not more of them than there are. By rules of its own, and not the protocol's.
 */
final class Company {

    private final Promises promises;
    private final Map<LockKey, Map<Kind, Long>> numbers = new HashMap<>();
    /** The most permits that each lock has had. */
    private final Map<LockKey, Integer> mostPermits = new HashMap<>();

    Company(Promises promises) {
        this.promises = promises;
    }

    static boolean mayHoldTogether(SimulatedCaller one, SimulatedCaller other) {
        return one.kind == other.kind && isJoint(one.kind);
    }

    private static boolean isJoint(Kind kind) {
        return kind == Kind.READ || kind == Kind.PERMIT;
    }

    void shows(LockKey key, LockItem item) {
        if (item.permits() > 0) {
            mostPermits.merge(key, item.permits(), Math::max);
        }
    }

    /** Whether the table lets the caller hold the lock by its block, whoever else waits there. */
    static boolean isInFront(SimulatedCaller caller, LockItem item) {
        List<Entry> queue = item.queue();
        int index = caller.block == null ? -1 : item.indexOf(caller.block);
        if (caller.isDowngrading && !queue.isEmpty() && queue.get(0).session().equals(caller.session)) {
            return true;
        }
        if (!isJoint(caller.kind)) {
            return index == 0;
        }
        Mode mode = caller.kind == Kind.READ ? Mode.SHARED : Mode.PERMIT;
        return index >= 0
                && queue.subList(0, index).stream()
                        .allMatch(entry -> entry.mode().equals(mode));
    }

    /** Called when the caller is granted a permit. */
    void isOneOfThePermits(SimulatedCaller caller, long heldTogether) {
        promises.check(
                caller.kind != Kind.PERMIT || heldTogether <= mostPermits.getOrDefault(caller.key(), 0),
                caller + " is granted permit " + heldTogether + " of " + caller.key() + ", which never had so many");
    }

    /** The greatest number of those who could not hold the lock beside this one. */
    long lastBefore(SimulatedCaller caller) {
        long last = 0;
        for (Map.Entry<Kind, Long> number : numbersOf(caller.key()).entrySet()) {
            if (number.getKey() != caller.kind || !isJoint(caller.kind)) {
                last = Math.max(last, number.getValue());
            }
        }
        return last;
    }

    void isGranted(SimulatedCaller caller, long number, boolean beginsAnew) {
        if (beginsAnew) {
            numbersOf(caller.key()).clear();
        }
        numbersOf(caller.key()).merge(caller.kind, number, Math::max);
    }

    private Map<Kind, Long> numbersOf(LockKey key) {
        return numbers.computeIfAbsent(key, absent -> new EnumMap<>(Kind.class));
    }
}
