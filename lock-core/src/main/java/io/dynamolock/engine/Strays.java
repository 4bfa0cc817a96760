package io.dynamolock.engine;

import io.dynamolock.engine.StoreCalls.Lane;
import io.dynamolock.protocol.Answer;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.LockKey;
import io.dynamolock.protocol.Step;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
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
    private @Nullable Runnable whenDone;

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
        Duration late = mayComeLate ? context.settings.callTimeout() : Duration.ZERO;
        begin(new Stray(key, block), late, Removal::look);
    }

    /** Takes out what was last seen at this place. */
    void remove(LockKey key, int index, Entry entry) {
        begin(new Stray(key, entry.block()), Duration.ZERO, removal -> removal.leave(Step.Leave.of(index, entry)));
    }

    private void begin(Stray stray, Duration late, Consumer<Removal> first) {
        assert context.loop.isCurrent();
        Removal known = removals.get(stray);
        if (known != null) {
            known.mayComeUntil(late);
        } else if (removals.size() >= MAX_PENDING) {
            log.warn("Too much to take out of queues at once; '{}' is left to the other processes", stray.key());
        } else {
            Removal removal = new Removal(stray);
            removals.put(stray, removal);
            removal.mayComeUntil(late);
            first.accept(removal);
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
        whenDone = step;
        runWhenDone();
    }

    private void runWhenDone() {
        Runnable step = whenDone;
        if (step != null && removals.isEmpty()) {
            whenDone = null;
            step.run();
        }
    }

    private final class Removal {

        private final Stray stray;
        private long comesUntil = context.time.nanos();
        private long sent;

        Removal(Stray stray) {
            this.stray = stray;
        }

        /** The block may have come by then, so an answer to what was sent before does not show that it is gone. */
        void mayComeUntil(Duration late) {
            long until = context.time.nanos() + late.toNanos();
            comesUntil = until - comesUntil > 0 ? until : comesUntil;
        }

        void look() {
            StoreCall<LockItem> look = StoreCall.of(Lane.BACKGROUND, "look for stray", () -> {
                sent = context.time.nanos();
                return context.store.look(stray.key(), true);
            });
            context.calls.persist(look, this::seen);
        }

        private void seen(LockItem item) {
            int index = item.indexOf(stray.block());
            if (index >= 0) {
                leave(Step.Leave.of(index, item.queue().get(index)));
            } else if (sent - comesUntil < 0) {
                Duration rest = context.since(comesUntil).negated();
                context.loop.schedule(this::look, rest.isNegative() ? Duration.ZERO : rest);
            } else {
                removals.remove(stray);
                runWhenDone();
            }
        }

        /** A refusal's answer shows the block's new place, or that it is gone. */
        void leave(Step.Leave leave) {
            StoreCall<Answer<LockItem>> call = StoreCall.of(Lane.BACKGROUND, "remove stray", () -> {
                sent = context.time.nanos();
                return context.store.take(stray.key(), leave, context.time.now());
            });
            context.calls.persist(call, answer -> seen(answer.item()));
        }
    }
}
