package io.dynamolock.chaos;

import io.dynamolock.LockClosedException;
import io.dynamolock.LockException;
import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.chaos.Registers.HolderInTable;
import io.dynamolock.chaos.Registers.Outcome;
import io.dynamolock.chaos.Registers.Written;
import io.dynamolock.chaos.WorkerSettings.Discipline;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;

/** Gets a lock, reads and writes what it protects, releases it, and again; writes everything down. */
final class WorkerThread implements Runnable {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final WorkerSettings settings;
    private final int number;
    private final LockRegistry locks;
    private final Registers registers;
    private final HistoryFile history;
    private final AtomicBoolean draining;
    private final AtomicBoolean closed;
    private final List<String> keys;
    private final Random random;
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
        this.registers = registers;
        this.history = history;
        this.draining = draining;
        this.closed = closed;
        this.keys = WorkerSettings.keys(settings.keys());
        this.random = new Random(settings.seed() * 31 + number);
    }

    @Override
    public void run() {
        try {
            while (!draining.get() && !closed.get()) {
                section(anyKey(), anyWait());
                pause(random.nextInt(30));
            }
            for (String key : keys) {
                while (!closed.get() && !section(key, LockRequest.FOREVER)) {
                    pause(50);
                }
                history.add("final", "thread", number, "key", key);
            }
        } catch (RuntimeException e) {
            if (!closed.get()) {
                history.add("crashed", "thread", number, "why", e);
                e.printStackTrace();
            }
        }
    }

    /** The first key is as busy as all others together. */
    private String anyKey() {
        return keys.get(random.nextBoolean() ? 0 : random.nextInt(keys.size()));
    }

    private Duration anyWait() {
        int dice = random.nextInt(10);
        if (dice == 0) {
            return Duration.ZERO;
        }
        return dice < 4 ? PATIENCE : LockRequest.FOREVER;
    }

    /** Whether the lock was granted. */
    private boolean section(String key, Duration wait) {
        String id = settings.process() + "-" + number + "-" + ++attempts;
        Hold hold = acquire(id, key, wait);
        if (hold == null) {
            return false;
        }
        try {
            HolderInTable holder = settings.discipline() == Discipline.UNLOCKED ? null : readHolder(hold);
            writePlain(hold);
            if (holder != null || settings.discipline() == Discipline.UNLOCKED) {
                writeFenced(hold, holder);
            }
        } finally {
            release(hold);
        }
        return true;
    }

    private Hold acquire(String id, String key, Duration wait) {
        history.add("ask", "id", id, "key", key, "wait", wait.equals(LockRequest.FOREVER) ? "forever" : wait);
        if (settings.discipline() == Discipline.UNLOCKED) {
            return Hold.withoutLock(id, key, history);
        }
        try {
            CompletableFuture<LockHandle> answer =
                    locks.acquireAsync(LockRequest.of(key).name(id).wait(wait));
            history.add("asked", "id", id);
            LockHandle handle = answer.join();
            return Hold.of(id, handle, settings.discipline(), history);
        } catch (LockClosedException e) {
            history.add("failed", "id", id, "why", e.getClass().getSimpleName());
        } catch (CompletionException e) {
            if (!(e.getCause() instanceof LockException)) {
                throw e;
            }
            history.add("failed", "id", id, "why", e.getCause().getClass().getSimpleName());
        }
        return null;
    }

    /** As long as the handle is valid the table must name its block: that is the block to make the fence of. */
    private HolderInTable readHolder(Hold hold) {
        try {
            HolderInTable holder = registers.holder(hold.key());
            hold.observe("holder", "owner", holder.owner(), "last", holder.lastTicket(), "block", holder.block());
            return hold.isValid() ? holder : null;
        } catch (CompletionException e) {
            hold.observe(
                    "unread", "what", "holder", "why", e.getCause().getClass().getSimpleName());
            return null;
        }
    }

    private void writePlain(Hold hold) {
        String base = read(hold, Registers.PLAIN + hold.key());
        if (base == null) {
            return;
        }
        think();
        if (!hold.isValid()) {
            return;
        }
        String value = hold.id() + "-p";
        hold.observe("write", "register", Registers.PLAIN + hold.key(), "value", value, "base", base);
        Written written = registers.write(hold.key(), value);
        hold.observe("wrote", "value", value, "outcome", written.outcome(), "why", written.why());
    }

    /** Does not ask whether the lock is still held: the fence must protect against those who do not. */
    private void writeFenced(Hold hold, HolderInTable holder) {
        String base = read(hold, Registers.FENCED + hold.key());
        if (base == null) {
            return;
        }
        think();
        String value = hold.id() + "-f";
        hold.observe("write", "register", Registers.FENCED + hold.key(), "value", value, "base", base);
        Written written = holder == null
                ? registers.writeFencedByNumberOnly(hold.key(), value, hold.token())
                : registers.writeFenced(hold.key(), value, holder.block(), hold.token());
        // Nobody may go on in the same block while this one may still land.
        while (written.outcome() == Outcome.UNKNOWN
                && hold.isValid()
                && !written.why().equals("overtaken")) {
            pause(20);
            written = registers.settleFenced(hold.key(), value, hold.token());
        }
        hold.observe("wrote", "value", value, "outcome", written.outcome(), "why", written.why());
    }

    private String read(Hold hold, String register) {
        try {
            return registers.read(register).value();
        } catch (CompletionException e) {
            hold.observe(
                    "unread", "what", register, "why", e.getCause().getClass().getSimpleName());
            return null;
        }
    }

    private void release(Hold hold) {
        hold.observe("releasing");
        boolean still = hold.release();
        history.add("released", "id", hold.id(), "still", still);
    }

    /** Mostly short; at times longer than a lease, which heartbeats must bridge. */
    private void think() {
        int dice = random.nextInt(200);
        if (dice == 0 && !draining.get()) {
            pause((int) WorkerSettings.LEASE.toMillis() + random.nextInt(1_000));
        } else if (dice < 10) {
            pause(random.nextInt(400));
        } else {
            pause(random.nextInt(10));
        }
    }

    private static void pause(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts a worker", e);
        }
    }
}
