package io.dynamolock.simulation;

import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.Mode;
import io.dynamolock.protocol.Step;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Judges each write at the moment it lands. Keeps a queue of its own, by simpler rules than the protocol's: blocks stand in
 * the order in which their asks landed, their own process takes them out, another process only if their session is
 * dead.
 */
final class QueueReferee {

    private record Place(String process, LockKey key) {}

    private final VirtualTime time;
    private final Items truth;
    private final Traces traces;
    private final Promises promises;
    private final Counts counts;
    private final boolean calm;
    private final Map<LockKey, List<Entry>> expected = new HashMap<>();
    /** How many asks had landed when a block's did. */
    private final Map<BlockId, Long> order = new HashMap<>();

    private final Map<LockKey, Long> lastFirst = new HashMap<>();
    /** When a block of this process was in the queue last. */
    private final Map<Place, Long> stoodUntil = new HashMap<>();

    private final Set<BlockId> evicted = new HashSet<>();
    private final Map<Place, BlockId> evictedWhileFirst = new HashMap<>();
    private final Map<LockKey, Long> evictedAt = new HashMap<>();
    /** The ticket before the first one of the item that there is now. */
    private final Map<LockKey, Long> issuedBefore = new HashMap<>();
    /** Locks whose item was begun by a late call: its tickets start from when that was sent. */
    private final Set<LockKey> begunLate = new HashSet<>();
    /** What the blocks were called before. */
    private final Map<BlockId, BlockId> formerly = new HashMap<>();
    /** Blocks of readers by which a writer goes on. */
    private final Set<BlockId> ofWriters = new HashSet<>();
    /** Blocks that somebody has taken out. */
    private final Set<BlockId> gone = new HashSet<>();
    /** Blocks that the network has brought back by delivering twice what had been answered. */
    private final Set<BlockId> twins = new HashSet<>();
    /** What became of those: their process could not know that they would come back. */
    private final Set<BlockId> unforeseen = new HashSet<>();
    /** Blocks whose own process has taken them out while they stood there. */
    private final Set<BlockId> left = new HashSet<>();
    /** Blocks that somebody has been granted the lock with. */
    private final Set<BlockId> granted = new HashSet<>();

    /**
     * Whether this is the block that was seen by that number: before anybody had the lock by it, or before it was its own, or
     * when its caller was a writer.
     */
    boolean isMeantBy(BlockId block, BlockId seen) {
        BlockId now = block;
        BlockId before = formerly.get(now);
        while (before != null && (!granted.contains(before) || ofWriters.contains(now))) {
            if (before.equals(seen)) {
                return true;
            }
            now = before;
            before = formerly.get(now);
        }
        return block.equals(formerly.get(seen));
    }

    /** Whether a writer that held the lock by that number goes on by this block. */
    boolean goesOnFrom(BlockId block, BlockId writer) {
        return ofWriters.contains(block) && writer.equals(formerly.get(block));
    }

    private final Company company;
    private BiConsumer<LockKey, BlockId> whenFirst = (key, block) -> {};
    private long asks;

    QueueReferee(VirtualTime time, Items truth, Traces traces, Promises promises, Counts counts, boolean calm) {
        this.time = time;
        this.truth = truth;
        this.traces = traces;
        this.promises = promises;
        this.counts = counts;
        this.calm = calm;
        this.company = new Company(promises);
    }

    void lands(StoreCall call, LockKey key, Step step, LockItem before, Answer<LockItem> answer) {
        counts.add((answer.isApplied() ? "applied " : "refused ") + call.operation);
        promises.check(
                truth.lock(key).equals(answer.item())
                        && (answer.isApplied() || answer.item().equals(before)),
                "an answer that does not show the item");
        if (!answer.isApplied()) {
            return;
        }
        List<Entry> queue = expected.computeIfAbsent(key, absent -> new ArrayList<>());
        for (Entry entry : queue) {
            stood(key, entry);
        }
        if (step instanceof Step.Ask ask) {
            asked(call, key, ask, before, queue);
        } else if (step instanceof Step.Grow grow) {
            grew(call, key, grow, queue);
        } else if (step instanceof Step.Leave leave) {
            leave.entries().values().forEach(entry -> leaves(call, key, entry, queue));
        } else if (step instanceof Step.Rename rename) {
            renamed(call, key, rename, queue);
        }
        LockItem item = answer.item();
        company.shows(key, item);
        if (before.tail() == 0) {
            issuedBefore.put(key, item.tail() - item.callersBefore(item.queue().size()));
            if (call.isLate()) {
                begunLate.add(key);
            } else {
                begunLate.remove(key);
            }
        }
        promises.check(
                item.queue().equals(queue),
                call.process() + " takes the step " + step + ", the queue of " + key + " should be " + queue
                        + ", and is " + item.queue());
        promises.check(item.tail() >= before.tail(), "the tickets of " + key + " go back by " + step);
        comesFirst(key, before, item);
        comeToHold(key, before, item);
    }

    private void asked(StoreCall call, LockKey key, Step.Ask ask, LockItem before, List<Entry> queue) {
        Entry entry = ask.entry();
        isOwn(call, key, entry);
        promises.check(
                before.queue().size() < ask.most(),
                call.process() + " enters the queue of " + key + " though it is full: " + before);
        promises.check(
                ask.permits() == 0 || before.permits() == 0 || before.permits() == ask.permits(),
                call.process() + " asks for one of " + ask.permits() + " permits of " + key + ", which has "
                        + before.permits());
        boolean isTwice = queue.stream().anyMatch(there -> there.block().equals(entry.block()));
        // The condition compares whole entries, and the block has grown since its ask was sent.
        boolean hasGrown = isTwice && !queue.contains(entry);
        promises.check(
                !isTwice || hasGrown && call.isLate(),
                entry + " of " + call.process() + " stands in the queue of " + key + " twice");
        if (isTwice) {
            counts.add("blocks that stand in a queue twice");
        }
        if (order.containsKey(entry.block())) {
            if (call.isTwin()) {
                twins.add(entry.block());
            }
            counts.add("asks that landed again");
        }
        asks++;
        if (!isTwice) {
            order.put(entry.block(), asks);
        }
        queue.add(entry);
    }

    private void grew(StoreCall call, LockKey key, Step.Grow grow, List<Entry> queue) {
        Entry entry = grow.entry();
        isOwn(call, key, entry);
        boolean isLast = !queue.isEmpty() && queue.get(queue.size() - 1).equals(entry);
        promises.check(isLast, call.process() + " grows " + entry + ", which is not last in the queue of " + key);
        if (isLast) {
            queue.set(queue.size() - 1, entry.grownBy(grow.by()));
        }
    }

    private void leaves(StoreCall call, LockKey key, Entry entry, List<Entry> queue) {
        promises.check(queue.remove(entry), call.process() + " takes out " + entry + ", which is not in the queue");
        gone.add(entry.block());
        String owner = traces.owner(entry.session());
        if (owner.equals(call.process())) {
            left.add(entry.block());
            return;
        }
        counts.add("dead blocks cleared");
        promises.check(
                !truth.isAlive(entry.session()),
                call.process() + " takes " + entry + " of " + owner + " out of the queue of " + key
                        + ", whose session lives");
        promises.check(
                !calm || traces.isGone(owner) || traces.hasEnded(entry.session()) || traces.isKeeping(entry.session()),
                call.process() + " takes out " + entry + " of " + owner + " though all is well");
    }

    private void renamed(StoreCall call, LockKey key, Step.Rename rename, List<Entry> queue) {
        isOwn(call, key, rename.from());
        isOwn(call, key, rename.to());
        int index = rename.index();
        boolean stoodThere = index < queue.size() && queue.get(index).equals(rename.from());
        promises.check(stoodThere, call.process() + " renames " + rename.from() + ", which is not at place " + index);
        if (!stoodThere) {
            return;
        }
        boolean shares = rename.to().mode().equals(Mode.SHARED);
        promises.check(
                rename.to().mode().equals(rename.from().mode()) || shares && index == 0,
                call.process() + " makes " + rename.to() + " of " + rename.from());
        BlockId from = rename.from().block();
        BlockId to = rename.to().block();
        if (!from.equals(to)) {
            boolean isUnknown = call.isTwin() && traces.isSure(to)
                    || twins.contains(from) && traces.isSure(from)
                    || unforeseen.contains(from);
            // A number that was no caller's yet may come back, by a late ask and the rename that still is repeated.
            promises.check(
                    !order.containsKey(to) || isUnknown || !granted.contains(to),
                    rename.to() + " has been in the queue of " + key + " before");
            if (isUnknown) {
                unforeseen.add(to);
            }
            order.put(to, order.getOrDefault(from, 0L));
            left.add(from);
            gone.add(from);
            formerly.put(to, from);
            if (!rename.to().mode().equals(rename.from().mode())) {
                ofWriters.add(to);
            }
        }
        queue.set(index, rename.to());
    }

    private void isOwn(StoreCall call, LockKey key, Entry entry) {
        String owner = traces.owner(entry.session());
        promises.check(
                owner.equals(call.process()), call.process() + " moves " + entry + " of " + owner + " in " + key);
    }

    /** Blocks become first in the order of their asks, whatever happened between. */
    private void comesFirst(LockKey key, LockItem before, LockItem item) {
        Entry first = item.first();
        Entry former = before.first();
        if (first == null || former != null && former.block().equals(first.block())) {
            return;
        }
        if (gone.contains(first.block())) {
            // The twin of a block that had grown, and has left or was renamed: a late ask has put it there.
            return;
        }
        if (!truth.isAlive(first.session())) {
            // It holds nothing: a copy of its ask may have landed again, long after.
            return;
        }
        long place = order.getOrDefault(first.block(), 0L);
        promises.check(
                place >= lastFirst.getOrDefault(key, 0L),
                first + " comes first in " + key + " after one that asked later");
        lastFirst.put(key, place);
        if (!traces.isGone(traces.owner(first.session())) && !traces.isKeeping(first.session())) {
            whenFirst.accept(key, first.block());
        }
    }

    /** Others that come to hold the lock with the first, because those ahead have gone or share it now. */
    private void comeToHold(LockKey key, LockItem before, LockItem item) {
        for (int i = 1; i < item.holders(); i++) {
            BlockId block = item.queue().get(i).block();
            int place = before.indexOf(block);
            SessionId session = block.session();
            boolean isNews = place >= before.holders() && !gone.contains(block) && truth.isAlive(session);
            if (isNews && !traces.isGone(traces.owner(session)) && !traces.isKeeping(session)) {
                whenFirst.accept(key, block);
            }
        }
    }

    Company company() {
        return company;
    }

    /** What to do when another block has come first. */
    void whenFirst(BiConsumer<LockKey, BlockId> action) {
        whenFirst = action;
    }

    private void stood(LockKey key, Entry entry) {
        stoodUntil.put(new Place(traces.owner(entry.session()), key), time.nanos());
    }

    /** Whether a block of another process than this has stood in the queue since then. */
    boolean othersStoodSince(long then, String process, LockKey key) {
        expected.getOrDefault(key, List.of()).forEach(entry -> stood(key, entry));
        return stoodUntil.entrySet().stream()
                .anyMatch(entry -> entry.getKey().key().equals(key)
                        && !entry.getKey().process().equals(process)
                        && entry.getValue() >= then);
    }

    // Items that are removed

    /** The table removes an item that nobody has written for long: nobody living may want it. */
    void expires(LockKey key) {
        counts.add("expired items");
        for (Entry entry : expected.getOrDefault(key, List.of())) {
            if (truth.isAlive(entry.session()) && !traces.mayBeLeft(entry)) {
                counts.add("expired under the living");
            }
        }
    }

    void removed(LockKey key) {
        List<Entry> queue = expected.computeIfAbsent(key, absent -> new ArrayList<>());
        for (int i = 0; i < queue.size(); i++) {
            Entry entry = queue.get(i);
            stood(key, entry);
            evicted.add(entry.block());
            // Its process may not have heard of the new name yet.
            evicted.add(formerly.getOrDefault(entry.block(), entry.block()));
            evictedWhileFirst.put(new Place(traces.owner(entry.session()), key), entry.block());
        }
        queue.clear();
        evictedAt.put(key, time.nanos());
    }

    boolean isEvicted(BlockId block) {
        return evicted.contains(block);
    }

    /** When the lock's item was removed last, never if it is negative. */
    long evictedAt(LockKey key) {
        return evictedAt.getOrDefault(key, -1L);
    }

    /** Whether the item that there is now was begun by a call that its process had given up. */
    boolean isBegunLate(LockKey key) {
        return begunLate.contains(key);
    }

    /** Whether the ticket is of the item that there is now, and not of one that was removed. */
    boolean isIssued(LockKey key, long ticket) {
        return ticket > issuedBefore.getOrDefault(key, 0L)
                && ticket <= truth.lock(key).tail();
    }

    /** Whether a block of this process was in an item that was removed. */
    boolean wasEvicted(String process, LockKey key) {
        return evictedWhileFirst.containsKey(new Place(process, key));
    }

    void granted(BlockId block) {
        granted.add(block);
    }

    boolean wasGranted(BlockId block) {
        return granted.contains(block);
    }

    /** Whether the block's own process has taken it out. */
    boolean hasLeft(BlockId block) {
        return left.contains(block);
    }
}
