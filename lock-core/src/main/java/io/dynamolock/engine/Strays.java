package io.dynamolock.engine;

import io.dynamolock.data.LockData;
import io.dynamolock.engine.StoreCalls.Lane;
import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SafeText;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes blocks out of queues in which this process does not want them any more, or may have put them without knowing: in
 * the background, and until an answer of the store shows each of them absent. Lives on the event loop.
 */
final class Strays {

    private static final Logger log = LoggerFactory.getLogger(Strays.class);

    /** What is not begun for lack of room is found by disputes. */
    private static final int MAX_PENDING = 4096;

    private record Stray(LockKey key, BlockId block) {}

    private final EngineContext context;
    private final Map<Stray, Removal> removals = new HashMap<>();
    private final List<Runnable> whenDone = new ArrayList<>(1);

    Strays(EngineContext context) {
        this.context = context;
    }

    /**
     * Takes the block out wherever it stands.
     *
     * @param mayComeLate whether a call may still be on its way that puts it there: then it is looked for once more when a
     *     call timeout has passed
     */
    void remove(LockKey key, BlockId block, boolean mayComeLate) {
        remove(key, List.of(block), mayComeLate);
    }

    /** Takes the blocks out as {@link #remove(LockKey, BlockId, boolean)} does, and looks for them together. */
    void remove(LockKey key, List<BlockId> blocks, boolean mayComeLate) {
        assert context.loop.isCurrent();
        Duration late = mayComeLate ? context.settings.callTimeout() : Duration.ZERO;
        List<Stray> unknown = new ArrayList<>(blocks.size());
        for (BlockId block : blocks) {
            Stray stray = new Stray(key, block);
            Removal known = removals.get(stray);
            if (known != null) {
                known.mayComeUntil(late);
            } else {
                unknown.add(stray);
            }
        }
        if (unknown.isEmpty()) {
            return;
        }
        if (removals.size() >= MAX_PENDING) {
            log.warn(
                    "Too much to take out of queues at once; what is in the queue of a lock is left to the other processes");
            log.debug("The queue is that of {}", SafeText.quote(key.toString()));
        } else {
            Removal removal = new Removal(unknown, null);
            removal.mayComeUntil(late);
            removal.look();
        }
    }

    /**
     * Takes out these together, from the places where they were last seen.
     *
     * @param left what the first of them leaves to the next if it stands there still, {@code null} for nothing new
     */
    void remove(LockKey key, NavigableMap<Integer, Entry> seen, @Nullable LockData left) {
        assert context.loop.isCurrent();
        if (!seen.isEmpty()) {
            List<Stray> strays = seen.values().stream()
                    .map(entry -> new Stray(key, entry.block()))
                    .toList();
            new Removal(strays, left).leave(seen);
        }
    }

    /** Whether there is room for what others need not be left without. */
    boolean hasRoom() {
        assert context.loop.isCurrent();
        return removals.size() < MAX_PENDING / 2;
    }

    /** Runs the step when nothing is left to take out. */
    void whenDone(Runnable step) {
        assert context.loop.isCurrent();
        whenDone.add(step);
        runWhenDone();
    }

    private void runWhenDone() {
        if (removals.isEmpty()) {
            List<Runnable> steps = List.copyOf(whenDone);
            whenDone.clear();
            steps.forEach(Runnable::run);
        }
    }

    /** Of one block, or of several of one lock at once. */
    private final class Removal {

        private final LockKey key;
        private final List<Stray> strays;
        private final @Nullable LockData left;
        private long comesUntil = context.time.nanos();
        private long sent;

        /** @param left what the first of them leaves */
        Removal(List<Stray> strays, @Nullable LockData left) {
            this.key = strays.get(0).key();
            this.strays = strays;
            this.left = left;
            strays.forEach(stray -> removals.put(stray, this));
        }

        /** They may have come by then, so an answer to what was sent before does not show that they are gone. */
        void mayComeUntil(Duration late) {
            long until = context.time.nanos() + late.toNanos();
            comesUntil = until - comesUntil > 0 ? until : comesUntil;
        }

        void look() {
            StoreCall<LockItem> look = StoreCall.of(Lane.BACKGROUND, "look for stray", () -> {
                sent = context.time.nanos();
                return context.store.look(key, true);
            });
            context.calls.persist(look, this::seen);
        }

        private void seen(LockItem item) {
            NavigableMap<Integer, Entry> standing = new TreeMap<>();
            for (int i = 0; i < item.queue().size(); i++) {
                if (removals.get(new Stray(key, item.queue().get(i).block())) == this) {
                    standing.put(i, item.queue().get(i));
                }
            }
            if (!standing.isEmpty()) {
                leave(standing);
            } else if (sent - comesUntil < 0) {
                Duration rest = context.since(comesUntil).negated();
                context.loop.schedule(this::look, rest.isNegative() ? Duration.ZERO : rest);
            } else {
                strays.forEach(stray -> removals.remove(stray, this));
                runWhenDone();
            }
        }

        /** A refusal's answer shows the blocks' new places, or that they are gone. */
        void leave(NavigableMap<Integer, Entry> standing) {
            Step leave = leaving(standing);
            StoreCall<Answer<LockItem>> call = StoreCall.of(Lane.BACKGROUND, "remove stray", () -> {
                sent = context.time.nanos();
                return context.store.take(key, leave, context.time.now());
            });
            context.calls.persist(call, answer -> seen(answer.item()));
        }

        private Step leaving(NavigableMap<Integer, Entry> standing) {
            NavigableMap<Integer, Entry> some = new TreeMap<>();
            standing.entrySet().stream()
                    .limit(Step.Leave.MOST)
                    .forEach(entry -> some.put(entry.getKey(), entry.getValue()));
            boolean isLeaver =
                    some.firstEntry().getValue().block().equals(strays.get(0).block());
            return new Step.Leave(some, isLeaver ? left : null);
        }
    }
}
