package io.dynamolock.chaos;

import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import io.dynamolock.chaos.WorkerSettings.Discipline;

/**
 * One grant, as its holder sees it. What it writes down says how long it may count on the lock: {@code left} nanoseconds
 * from {@code seen} on, where {@code seen} is a moment before it asked. Used by one thread.
 */
final class Hold {

    private static final long ALWAYS = WorkerSettings.LEASE.toNanos();

    private final String id;
    private final String key;
    private final long token;
    private final Discipline discipline;
    private final HistoryFile history;
    private HoldMode mode;
    private LockHandle handle;

    private Hold(
            String id,
            String key,
            HoldMode mode,
            long token,
            LockHandle handle,
            Discipline discipline,
            HistoryFile history) {
        this.id = id;
        this.key = key;
        this.mode = mode;
        this.token = token;
        this.handle = handle;
        this.discipline = discipline;
        this.history = history;
        observe("grant", "key", key, "token", token);
    }

    static Hold of(String id, HoldMode mode, LockHandle handle, Discipline discipline, HistoryFile history) {
        Hold hold = new Hold(id, handle.key(), mode, handle.fencingToken(), handle, discipline, history);
        hold.listen();
        return hold;
    }

    /** A grant that nobody gave, with a number that rises like a real one's. */
    static Hold withoutLock(String id, String key, HoldMode mode, HistoryFile history) {
        return new Hold(id, key, mode, System.nanoTime(), null, Discipline.UNLOCKED, history);
    }

    private void listen() {
        handle.onLost(() -> history.add("told", "id", id));
    }

    String id() {
        return id;
    }

    String key() {
        return key;
    }

    HoldMode mode() {
        return mode;
    }

    long token() {
        return token;
    }

    boolean isValid() {
        return left() > 0;
    }

    /** Writes down what happened and whether the lock is still held after it. */
    void observe(String what, Object... fields) {
        long seen = System.nanoTime();
        long left = left();
        Object[] all = new Object[fields.length + 6];
        all[0] = "id";
        all[1] = id;
        System.arraycopy(fields, 0, all, 2, fields.length);
        all[fields.length + 2] = "seen";
        all[fields.length + 3] = seen;
        all[fields.length + 4] = "left";
        all[fields.length + 5] = left;
        history.addAt(seen, what, all);
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
