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

/**
 * Judges each write at the moment it lands, knowing the truth: nobody who is visibly queued is passed, nobody living is
 * robbed, nobody is evicted before a lease is over.
 */
final class QueueReferee {

    /** Clocks of two machines may run apart by so much. */
    private static final double SLOWEST_LEASE = 0.94;

    private record Numbers(String process, long first, long last) {}

    private record Place(String process, LockKey key) {}

    private final VirtualTime time;
    private final InMemoryLockStore truth;
    private final Traces traces;
    private final Promises promises;
    private final Counts counts;
    private final boolean calm;
    private final Map<LockKey, List<Numbers>> taken = new HashMap<>();
    private final Map<Place, Long> disturbed = new HashMap<>();

    QueueReferee(
            VirtualTime time, InMemoryLockStore truth, Traces traces, Promises promises, Counts counts, boolean calm) {
        this.time = time;
        this.truth = truth;
        this.traces = traces;
        this.promises = promises;
        this.counts = counts;
        this.calm = calm;
    }

    /** When callers of this process last lost their place in the queue, so that they had to take new numbers. */
    long disturbedAt(String process, LockKey key) {
        return disturbed.getOrDefault(new Place(process, key), -1L);
    }

    void numbersTaken(String process, LockKey key, long first, long last) {
        taken.computeIfAbsent(key, absent -> new ArrayList<>()).add(new Numbers(process, first, last));
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
        disturbed.put(new Place(owner, key), time.nanos());
        Duration queued = Duration.ofNanos(time.nanos() - traces.enteredAt(key, row));
        Duration least = Duration.ofNanos((long) (call.link.settings().lease().toNanos() * SLOWEST_LEASE));
        if (queued.compareTo(least) < 0) {
            promises.broken(call.process() + " evicts " + owner + " from the queue of " + key + " after " + queued);
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
                disturbed.put(new Place(numbers.process(), key), time.nanos());
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
            disturbed.put(new Place(numbers.process(), key), time.nanos());
        }
    }

    private String owner(Claimant claimant) {
        return traces.owner(claimant.session());
    }

    private boolean isAlive(Claimant claimant) {
        return truth.session(claimant.session()).isPresent();
    }
}
