package io.dynamolock.simulation;

import io.dynamolock.store.BlockId;
import io.dynamolock.store.Claimant;
import io.dynamolock.store.Holder;
import io.dynamolock.store.LockKey;
import io.dynamolock.store.LockState;
import io.dynamolock.store.WaiterRow;
import io.dynamolock.store.memory.InMemoryLockStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * Judges each write at the moment it lands, knowing the truth: nobody who is visibly queued is passed, nobody living is
 * robbed, nobody is evicted before a lease is over.
 */
final class QueueReferee {

    /** Clocks of two machines may run apart by so much. */
    private static final double SLOWEST_LEASE = 0.94;

    /** So long after it took its numbers a process has entered the queue if all is well. */
    private static final Duration LONG_SINCE = Duration.ofSeconds(2);

    private record Numbers(String process, long first, long last, long takenAt) {}

    private record Place(String process, LockKey key) {}

    private final VirtualTime time;
    private final InMemoryLockStore truth;
    private final Traces traces;
    private final Promises promises;
    private final Counts counts;
    private final boolean calm;
    private final Map<LockKey, List<Numbers>> taken = new HashMap<>();
    private final Map<Place, NavigableSet<Long>> disturbed = new HashMap<>();
    private final Map<LockKey, Long> heldSince = new HashMap<>();
    private Waiters waiters = (process, key, first, last) -> false;

    /** Knows who waits. */
    interface Waiters {

        boolean waitWith(String process, LockKey key, long first, long last);
    }

    QueueReferee(
            VirtualTime time, InMemoryLockStore truth, Traces traces, Promises promises, Counts counts, boolean calm) {
        this.time = time;
        this.truth = truth;
        this.traces = traces;
        this.promises = promises;
        this.counts = counts;
        this.calm = calm;
    }

    /** How often, since then, callers of this process lost their place in the queue, so that they had to take new numbers. */
    int timesDisturbedSince(long since, String process, LockKey key) {
        NavigableSet<Long> times = disturbed.get(new Place(process, key));
        return times == null ? 0 : times.tailSet(since, true).size();
    }

    private void disturb(String process, LockKey key) {
        disturbed
                .computeIfAbsent(new Place(process, key), absent -> new TreeSet<>())
                .add(time.nanos());
    }

    void numbersTaken(String process, LockKey key, long first, long last) {
        taken.computeIfAbsent(key, absent -> new ArrayList<>()).add(new Numbers(process, first, last, time.nanos()));
    }

    void asksWhoWaits(Waiters knowing) {
        waiters = knowing;
    }

    /** Another block has become the holder. */
    void held(LockKey key) {
        heldSince.put(key, time.nanos());
    }

    void claimed(StoreCall call, LockKey key, Claimant claimant, LockState before, List<WaiterRow> rows, long last) {
        counts.add("claims");
        Holder robbed = before.holder();
        if (robbed != null && isAlive(robbed.claimant())) {
            promises.broken(call.process() + " claims " + key + " from " + robbed.owner() + ", which is alive");
        }
        for (WaiterRow row : rows) {
            boolean visible = traces.enteredAt(key, row) < call.seenSince;
            if (visible && isPassed(row, claimant, before, last)) {
                promises.broken("the claim of " + key + " by " + call.process() + " up to " + last
                        + " passes the row of " + row.claimant().owner() + " with " + row.first() + ".." + row.last());
            }
        }
    }

    /** A try that gets the lock has seen nobody in the queue, unless the item had expired under those who wait. */
    void tried(StoreCall call, LockKey key, Claimant claimant, LockState before, List<WaiterRow> rows, long last) {
        for (WaiterRow row : rows) {
            if (!before.isAbsent() && isPassed(row, claimant, before, last)) {
                promises.broken("the try of " + key + " by " + call.process() + " up to " + last + " passes the row of "
                        + row.claimant().owner() + " with " + row.first() + ".." + row.last());
            }
        }
    }

    void handedOver(StoreCall call, LockKey key, Claimant claimant, LockState before, List<WaiterRow> rows, long last) {
        counts.add("hand-overs");
        for (WaiterRow row : rows) {
            if (isPassed(row, claimant, before, last)) {
                promises.broken("the hand-over of " + key + " in " + call.process() + " up to " + last
                        + " passes the row of " + row.claimant().owner() + " with " + row.first() + ".." + row.last());
            }
        }
        for (Numbers numbers : taken.getOrDefault(key, List.of())) {
            if (!numbers.process().equals(call.process())
                    && numbers.last() > before.serving()
                    && numbers.last() < last) {
                promises.broken("the hand-over of " + key + " in " + call.process() + " up to " + last
                        + " passes the numbers of " + numbers.process());
            }
        }
    }

    private boolean isPassed(WaiterRow row, Claimant claimant, LockState before, long last) {
        return row.last() < last
                && row.last() > before.serving()
                && !owner(row.claimant()).equals(owner(claimant))
                && isAlive(row.claimant());
    }

    void releases(StoreCall call, LockKey key, LockState before, BlockId block) {
        Holder holder = before.holder();
        if (holder != null
                && holder.block().equals(block)
                && !owner(holder.claimant()).equals(call.process())) {
            promises.broken(call.process() + " releases " + key + ", which " + holder.owner() + " holds");
        }
    }

    void deletesRow(StoreCall call, LockKey key, WaiterRow row, LockState state) {
        String owner = owner(row.claimant());
        if (owner.equals(call.process()) || row.last() <= state.serving() || !isAlive(row.claimant())) {
            return;
        }
        counts.add("evictions");
        promises.check(!calm, call.process() + " evicts " + owner + " from the queue of " + key + ", but all is well");
        isInTheWay(call, key, row, state);
        disturb(owner, key);
        Duration queued = Duration.ofNanos(time.nanos() - traces.enteredAt(key, row));
        Duration least = Duration.ofNanos((long) (call.link.settings().lease().toNanos() * SLOWEST_LEASE));
        if (queued.compareTo(least) < 0) {
            promises.broken(call.process() + " evicts " + owner + " from the queue of " + key + " after " + queued);
        }
    }

    /** What an eviction is for: the row is the first, and nobody holds the lock. */
    private void isInTheWay(StoreCall call, LockKey key, WaiterRow row, LockState state) {
        for (WaiterRow other : truth.rows(key)) {
            boolean seenAhead = other.first() < row.first()
                    && other.last() > state.serving()
                    && traces.enteredAt(key, other) < call.seenSince
                    && !owner(other.claimant()).equals(call.process())
                    && isAlive(other.claimant());
            if (seenAhead) {
                promises.broken(call.process() + " evicts " + owner(row.claimant()) + " from the queue of " + key
                        + ", but " + owner(other.claimant()) + " is ahead of it");
            }
        }
        Holder holder = state.holder();
        long longAgo = call.seenSince - call.link.settings().lease().toNanos() / 2;
        if (holder != null && isAlive(holder.claimant()) && heldSince.getOrDefault(key, time.nanos()) < longAgo) {
            promises.broken(call.process() + " evicts " + owner(row.claimant()) + " from the queue of " + key
                    + " while " + holder.owner() + " holds the lock");
        }
    }

    /** {@code serving} has risen: whose numbers lie below it and are not served is passed. */
    void served(StoreCall call, LockKey key, long before, long now) {
        Iterator<Numbers> all = taken.getOrDefault(key, new ArrayList<>()).iterator();
        while (all.hasNext()) {
            Numbers numbers = all.next();
            if (numbers.first() > now) {
                continue;
            }
            boolean passed = numbers.last() > before
                    && (call.isLate() || !numbers.process().equals(call.process()));
            if (passed) {
                boolean hadTime = time.nanos() - numbers.takenAt() > LONG_SINCE.toNanos();
                promises.check(
                        !calm || !hadTime || !waiters.waitWith(numbers.process(), key, numbers.first(), numbers.last()),
                        call.process() + " passes " + numbers.process() + " in the queue of " + key
                                + ", which has had its numbers for long");
                disturb(numbers.process(), key);
            }
            if (numbers.last() <= now) {
                all.remove();
            }
        }
    }

    /** {@code serving} has gone back: what was granted may be granted again. */
    void servedAgain(StoreCall call, LockKey key, long before, long now) {
        promises.broken(call.process() + " takes serving of " + key + " back from " + before + " to " + now + " by "
                + call.operation);
    }

    /** The lock's item is removed by TTL. */
    void expired(LockKey key) {
        counts.add("expired items");
        for (Numbers numbers : taken.getOrDefault(key, List.of())) {
            disturb(numbers.process(), key);
        }
    }

    private String owner(Claimant claimant) {
        return traces.owner(claimant.session());
    }

    private boolean isAlive(Claimant claimant) {
        return truth.session(claimant.session()).isPresent();
    }
}
