package io.dynamolock.simulation;

import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.SessionItem;
import io.dynamolock.protocol.SessionStep;
import io.dynamolock.protocol.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The one table of a simulation. Each call takes effect at the moment it lands; what that does to the promises of the
 * protocol is judged by the {@link QueueReferee} and remembered in the {@link Traces}.
 */
final class SimulatedTable {

    private final VirtualTime time;
    private final Items items;
    private final QueueReferee referee;
    private final Traces traces;
    private final Journal journal;
    private final Map<String, Expiry> expiries = new TreeMap<>();
    private boolean changed;

    private record Expiry(LockKey key, Instant at) {}

    SimulatedTable(VirtualTime time, Items items, QueueReferee referee, Traces traces, Journal journal) {
        this.time = time;
        this.items = items;
        this.referee = referee;
        this.traces = traces;
        this.journal = journal;
    }

    /** Whether anything was written since this was asked last. */
    boolean hasChanged() {
        boolean was = changed;
        changed = false;
        return was;
    }

    Items items() {
        return items;
    }

    Journal journal() {
        return journal;
    }

    Instant now() {
        return time.now();
    }

    Answer<LockItem> take(StoreCall call, LockKey key, Step step, Instant now) {
        LockItem before = items.lock(key);
        Answer<LockItem> answer = items.take(key, step, time.nanos());
        if (answer.isApplied()) {
            changed = true;
            expiries.put(
                    key.toString(),
                    new Expiry(key, now.plus(call.link.settings().retention())));
        }
        traces.lands(call, key, step, answer);
        referee.lands(call, key, step, before, answer);
        return answer;
    }

    /** @param age how old the answer may be at the most */
    LockItem look(StoreCall call, LockKey key, Duration age) {
        traces.looks(call, key);
        return age.isZero() ? items.lock(key) : items.lockAt(key, time.nanos() - age.toNanos());
    }

    Answer<Optional<SessionItem>> take(StoreCall call, SessionId id, SessionStep step) {
        traces.lands(call, id, step);
        Answer<Optional<SessionItem>> answer = items.take(id, step);
        changed |= answer.isApplied();
        return answer;
    }

    Map<SessionId, SessionItem> sessions(Set<SessionId> ids) {
        return items.sessions(ids);
    }

    /** Removes the lock items whose time is over, as TTL may; says how many. */
    int removeExpired() {
        int removed = 0;
        for (Expiry expiry : List.copyOf(expiries.values())) {
            if (expiry.at().isBefore(time.now())) {
                referee.expires(expiry.key());
                remove(expiry.key());
                removed++;
            }
        }
        return removed;
    }

    /** Somebody deletes the item of a lock by hand; false if there is none. */
    boolean deleteByHand(LockKey key) {
        if (items.lock(key).equals(LockItem.ABSENT)) {
            return false;
        }
        remove(key);
        return true;
    }

    private void remove(LockKey key) {
        referee.removed(key);
        items.removeLock(key, time.nanos());
        journal.removed(key);
        expiries.remove(key.toString());
        changed = true;
    }
}
