package io.dynamolock.engine;

import io.dynamolock.engine.StoreCalls.Lane;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.LockKey;
import io.dynamolock.protocol.Step;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
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
        assert context.loop.isCurrent();
        begin(new Stray(key, block), Removal::look);
        Removal removal = removals.get(new Stray(key, block));
        if (mayComeLate && removal != null) {
            removal.lookAgainAt =
                    context.time.nanos() + context.settings.callTimeout().toNanos();
            removal.mayComeLate = true;
        }
    }

    /** Takes out what was last seen at this place. */
    void remove(LockKey key, int index, Entry entry) {
        assert context.loop.isCurrent();
        begin(new Stray(key, entry.block()), removal -> removal.leave(Step.Leave.of(index, entry)));
    }

    private void begin(Stray stray, Consumer<Removal> first) {
        if (removals.size() >= MAX_PENDING) {
            log.warn("Too much to take out of queues at once; '{}' is left to the other processes", stray.key());
            return;
        }
        Removal known = removals.get(stray);
        if (known == null) {
            Removal removal = new Removal(stray);
            removals.put(stray, removal);
            first.accept(removal);
        } else {
            // It may have come after what the answer under way will show.
            known.again = true;
        }
    }

    /** Whether the block is being taken out. */
    boolean isRemoving(LockKey key, BlockId block) {
        assert context.loop.isCurrent();
        return removals.containsKey(new Stray(key, block));
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

    private final class Removal {

        private final Stray stray;
        private boolean mayComeLate;
        private boolean again;
        private long lookAgainAt;
        private long sent;

        Removal(Stray stray) {
            this.stray = stray;
        }

        void look() {
            context.calls.persist(
                    Lane.BACKGROUND,
                    "look for stray",
                    () -> {
                        sent = context.time.nanos();
                        return context.store.look(stray.key(), true);
                    },
                    () -> true,
                    this::seen,
                    () -> {});
        }

        private void seen(LockItem item) {
            int index = item.indexOf(stray.block());
            if (index >= 0) {
                leave(Step.Leave.of(index, item.queue().get(index)));
            } else if (again) {
                again = false;
                look();
            } else if (mayComeLate && sent - lookAgainAt < 0) {
                context.loop.schedule(this::look, context.since(lookAgainAt).negated());
            } else {
                removals.remove(stray);
                runWhenDone();
            }
        }

        /** A refusal's answer shows the block's new place, or that it is gone. */
        private void leave(Step.Leave leave) {
            context.calls.persist(
                    Lane.BACKGROUND,
                    "remove stray",
                    () -> {
                        sent = context.time.nanos();
                        return context.store.take(stray.key(), leave, context.time.now());
                    },
                    () -> true,
                    answer -> seen(answer.item()),
                    () -> {});
        }
    }
}
