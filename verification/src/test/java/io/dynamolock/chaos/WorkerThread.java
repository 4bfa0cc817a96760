package io.dynamolock.chaos;

import io.dynamolock.LockException;
import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.chaos.WorkerSettings.Discipline;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;

/** Acquires a lock, does the work under it and releases it, again and again, and writes everything down. */
final class WorkerThread implements Runnable {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final WorkerSettings settings;
    private final int number;
    private final LockRegistry locks;
    private final HistoryFile history;
    private final AtomicBoolean draining;
    private final AtomicBoolean closed;
    private final List<String> keys;
    private final Random random;
    private final CriticalSection section;
    private int attempts;

    WorkerThread(
            WorkerSettings settings,
            int number,
            LockRegistry locks,
            Registers registers,
            HistoryFile history,
            AtomicBoolean draining,
            AtomicBoolean closed) {
        this.settings = settings;
        this.number = number;
        this.locks = locks;
        this.history = history;
        this.draining = draining;
        this.closed = closed;
        this.keys = Keys.of(settings.keys());
        this.random = new Random(settings.seed() * 31 + number);
        this.section = new CriticalSection(settings, registers, random, draining);
    }

    @Override
    public void run() {
        try {
            while (!draining.get() && !closed.get()) {
                String key = anyKey();
                hold(key, anyMode(key), anyWait());
                CriticalSection.pause(random.nextInt(30));
            }
            for (String key : keys) {
                for (HoldMode mode : Keys.modes(key)) {
                    while (!closed.get() && !hold(key, mode, LockRequest.FOREVER)) {
                        CriticalSection.pause(50);
                    }
                    history.add("final thread=%s key=%s mode=%s", number, key, mode);
                }
            }
        } catch (RuntimeException e) {
            if (!closed.get()) {
                history.add("crashed thread=%s why=%s", number, e);
                e.printStackTrace();
            }
        }
    }

    /** Makes the first key about as busy as all others together. */
    private String anyKey() {
        return keys.get(random.nextInt(3) == 0 ? 0 : random.nextInt(keys.size()));
    }

    /** The most usual mode twice as often. */
    private HoldMode anyMode(String key) {
        List<HoldMode> modes = Keys.modes(key);
        return modes.get(random.nextInt(3) == 0 ? 0 : modes.size() - 1);
    }

    private Duration anyWait() {
        int dice = random.nextInt(10);
        if (dice == 0) {
            return Duration.ZERO;
        }
        return dice < 4 ? PATIENCE : LockRequest.FOREVER;
    }

    /** Whether the lock was granted. */
    private boolean hold(String key, HoldMode mode, Duration wait) {
        String id = settings.process() + "-" + number + "-" + ++attempts;
        Hold hold = acquire(id, key, mode, wait);
        if (hold == null) {
            return false;
        }
        try {
            section.run(hold);
        } finally {
            release(hold);
        }
        return true;
    }

    private Hold acquire(String id, String key, HoldMode mode, Duration wait) {
        String limit = wait.equals(LockRequest.FOREVER) ? "forever" : wait.toString();
        history.add("ask id=%s key=%s mode=%s wait=%s", id, key, mode, limit);
        if (settings.discipline() == Discipline.UNLOCKED) {
            return new Hold(id, key, mode, null, Discipline.UNLOCKED, history);
        }
        try {
            CompletableFuture<LockHandle> answer =
                    locks.acquireAsync(mode.request(locks, key).name(id).waitTime(wait));
            history.add("asked id=%s", id);
            LockHandle handle = answer.join();
            return new Hold(id, key, mode, handle, settings.discipline(), history);
        } catch (LockException | CompletionException e) {
            Throwable cause = e instanceof CompletionException ? e.getCause() : e;
            if (!(cause instanceof LockException)) {
                throw e;
            }
            history.add("failed id=%s why=%s", id, cause.getClass().getSimpleName());
        }
        return null;
    }

    private void release(Hold hold) {
        hold.observe("releasing");
        boolean still = hold.release();
        history.add("released id=%s still=%s", hold.id, still);
    }
}
