package io.dynamolock.chaos;

import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import io.dynamolock.chaos.WorkerSettings.Discipline;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;

/**
 * One grant, as its holder sees it. Each line that it writes says how long the holder may count on the lock: {@code
 * left} nanoseconds from {@code seen} on, where {@code seen} is a moment before the handle was asked. Used by one
 * thread.
 */
final class Hold {

    private static final long ALWAYS = WorkerSettings.LEASE.toNanos();

    final String id;
    final String key;
    final long token;
    private final Discipline discipline;
    private final HistoryFile history;
    private HoldMode mode;
    private @Nullable LockHandle handle;

    /** @param handle null for a pretended grant without a lock, whose token rises like a real one */
    Hold(
            String id,
            String key,
            HoldMode mode,
            @Nullable LockHandle handle,
            Discipline discipline,
            HistoryFile history) {
        this.id = id;
        this.key = key;
        this.mode = mode;
        this.token = handle == null ? System.nanoTime() : handle.fencingToken();
        this.handle = handle;
        this.discipline = discipline;
        this.history = history;
        observe("grant key=%s token=%s", key, token);
        if (handle != null) {
            listen();
        }
    }

    private void listen() {
        handle.onLost(() -> history.add("told id=%s", id));
    }

    HoldMode mode() {
        return mode;
    }

    /** @throws LockLostException if the lock was lost */
    ConditionCheck fence() {
        return handle.fence();
    }

    boolean isValid() {
        return left() > 0;
    }

    /** Writes a line, as {@link HistoryFile#add} does, and whether the lock is still held after it. */
    void observe(String text, Object... values) {
        long seen = System.nanoTime();
        List<Object> all = new ArrayList<>(List.of(values));
        all.addAll(List.of(id, seen, left()));
        history.addAt(seen, text + " id=%s seen=%s left=%s", all.toArray());
    }

    /** Goes on as a reader, unless the lock was lost. */
    void downgrade() {
        observe("downgrading");
        if (handle != null) {
            try {
                handle = handle.downgrade();
                listen();
            } catch (LockLostException e) {
                observe("not-downgraded");
                return;
            }
        }
        mode = HoldMode.READ;
        observe("downgraded");
    }

    boolean release() {
        boolean still = handle == null || handle.release();
        return discipline == Discipline.DEAF || still;
    }

    private long left() {
        return discipline == Discipline.LOCKED ? handle.remainingValidity().toNanos() : ALWAYS;
    }
}
