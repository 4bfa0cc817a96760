package io.dynamolock.engine;

import io.dynamolock.data.LockData;
import io.dynamolock.engine.StoreCalls.Lane;
import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.Mode;
import io.dynamolock.protocol.SessionStep;
import io.dynamolock.protocol.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Locks that are to be kept though this process stops, for {@link AcquireSpec#holdAtLeast()}. Each goes on under a
 * session of its own, by which nobody holds it, and which nobody beats: it says itself until when it is to be left alone.
 * So each lock is kept for its own time, and this process's session can end. Lives on the event loop.
 */
final class KeptLocks {

    private final EngineContext context;
    private final PeerWatch peers;
    private final EndedSessions ended;
    private int open;
    private final List<Runnable> whenDone = new ArrayList<>(1);

    KeptLocks(EngineContext context, PeerWatch peers, EndedSessions ended) {
        this.context = context;
        this.peers = peers;
        this.ended = ended;
    }

    /** @param renamed the other name by which the entry may stand there already */
    private record Keeping(
            LockKey key,
            Entry held,
            @Nullable BlockId renamed,
            Duration rest,
            Instant until,
            @Nullable LockData data) {

        int placeIn(LockItem item) {
            int place = item.indexOf(held.block());
            return place < 0 && renamed != null ? item.indexOf(renamed) : place;
        }
    }

    /**
     * Keeps the lock for so long, if this entry of this process still stands in its queue.
     *
     * @param place where it was seen last
     * @param renamed another name by which it may stand there already, if a call that gives it one is under way
     * @param data what its holder leaves, {@code null} for nothing new
     */
    void keep(LockKey key, int place, Entry held, @Nullable BlockId renamed, Duration rest, @Nullable LockData data) {
        assert context.loop.isCurrent();
        open++;
        Instant until = peers.storeNowAtMost().plus(rest);
        begin(new Keeping(key, held, renamed, rest, until, data), place, 1);
    }

    private void begin(Keeping keeping, int place, int attempt) {
        SessionId id = context.newSessionId();
        Runnable again = () -> begin(keeping, place, attempt + 1);
        context.calls.send(
                StoreCall.of(Lane.LOCK, "keep lock", () -> {
                    Instant now = context.time.now();
                    return context.store.take(
                            id,
                            new SessionStep.Begin(keeping.rest(), context.settings.owner(), now, keeping.until()),
                            now);
                }),
                answer -> {
                    if (answer.isApplied()) {
                        rename(keeping, place, keeping.held(), new BlockId(id, 1));
                    } else {
                        again.run();
                    }
                },
                failure -> {
                    if (failure.mayHaveTakenEffect()) {
                        ended.end(id);
                    }
                    context.loop.schedule(again, context.backoff.delay(attempt));
                });
    }

    private void rename(Keeping keeping, int place, Entry from, BlockId kept) {
        Step rename = new Step.Rename(place, from, new Entry(kept, from.mode(), 1), keeping.data());
        context.calls.persist(
                StoreCall.of(
                        Lane.LOCK, "keep lock", () -> context.store.take(keeping.key(), rename, context.time.now())),
                answer -> {
                    LockItem item = answer.item();
                    int now = keeping.placeIn(item);
                    boolean isKept = item.indexOf(kept) >= 0;
                    if (!isKept && now >= 0 && mayHold(item, now)) {
                        // It had grown or was renamed meanwhile, or those ahead have gone.
                        rename(keeping, now, item.queue().get(now), kept);
                        return;
                    }
                    if (!isKept) {
                        // Somebody has changed the item by hand, or it was kept, and its time is over.
                        ended.end(kept.session());
                    }
                    open--;
                    runWhenDone();
                });
    }

    /** A permit is kept when there are fewer than before, wherever it stands. */
    private static boolean mayHold(LockItem item, int place) {
        return item.holds(place) || item.queue().get(place).mode().equals(Mode.PERMIT);
    }

    /** Runs the step when nothing is left to keep. */
    void whenDone(Runnable step) {
        assert context.loop.isCurrent();
        whenDone.add(step);
        runWhenDone();
    }

    private void runWhenDone() {
        if (open == 0) {
            List<Runnable> steps = List.copyOf(whenDone);
            whenDone.clear();
            steps.forEach(Runnable::run);
        }
    }
}
