package io.dynamolock.chaos;

import io.dynamolock.LockLostException;
import io.dynamolock.chaos.Registers.HolderInTable;
import io.dynamolock.chaos.Registers.Outcome;
import io.dynamolock.chaos.Registers.Written;
import io.dynamolock.chaos.WorkerSettings.Discipline;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;

/**
 * The work under a lock: a caller that holds the lock alone reads and writes its registers, a reader reads one of them
 * twice. Used by one thread.
 */
record CriticalSection(WorkerSettings settings, Registers registers, Random random, AtomicBoolean draining) {

    /** One in this many writers goes on as a reader. */
    private static final int WRITERS_FOR_A_DOWNGRADE = 3;

    void run(Hold hold) {
        HolderInTable holder = isLocked() ? readHolder(hold) : null;
        switch (hold.mode()) {
            case EXCLUSIVE -> write(hold, holder);
            case WRITE -> {
                write(hold, holder);
                if (random.nextInt(WRITERS_FOR_A_DOWNGRADE) == 0) {
                    goOnAsReader(hold);
                }
            }
            case READ -> readTwice(hold);
            case PERMIT -> think();
        }
    }

    private boolean isLocked() {
        return settings.discipline() != Discipline.UNLOCKED;
    }

    /** As long as the handle is valid, the table must name its entry, of which the fence is made. */
    private HolderInTable readHolder(Hold hold) {
        try {
            HolderInTable holder = registers.holder(hold.key, settings.process(), hold.token);
            hold.observe("holder owner=%s last=%s entry=%s", holder.owner(), holder.lastTicket(), holder.entry());
            return hold.isValid() ? holder : null;
        } catch (CompletionException e) {
            hold.observe("unread what=holder why=%s", e.getCause().getClass().getSimpleName());
            return null;
        }
    }

    private void write(Hold hold, HolderInTable holder) {
        writePlain(hold);
        if (holder != null || !isLocked()) {
            writeFenced(hold, holder);
        }
    }

    private void writePlain(Hold hold) {
        String base = read(hold, Registers.PLAIN + hold.key);
        if (base == null) {
            return;
        }
        think();
        if (!hold.isValid()) {
            return;
        }
        String value = hold.id + "-p";
        hold.observe("write register=%s value=%s base=%s", Registers.PLAIN + hold.key, value, base);
        Written written = registers.write(hold.key, value);
        hold.observe("wrote value=%s outcome=%s why=%s", value, written.outcome(), written.why());
    }

    /**
     * Sends the write without asking whether the lock is still held: the fence must protect against callers that do not
     * ask. For locks that are always held alone, half of the fences are the library's.
     */
    private void writeFenced(Hold hold, HolderInTable holder) {
        String base = read(hold, Registers.FENCED + hold.key);
        if (base == null) {
            return;
        }
        ConditionCheck fence = null;
        if (holder != null) {
            try {
                boolean isTheLibrarys = hold.mode() == HoldMode.EXCLUSIVE && random.nextBoolean();
                fence = isTheLibrarys ? hold.fence() : registers.fence(hold.key, holder.entry(), hold.token);
            } catch (LockLostException e) {
                hold.observe("unread what=fence");
                return;
            }
        }
        think();
        String value = hold.id + "-f";
        hold.observe("write register=%s value=%s base=%s", Registers.FENCED + hold.key, value, base);
        Written written = registers.writeFenced(hold.key, value, fence, hold.token);
        // No other caller may get the lock by the same entry while this write may still land.
        while (written.outcome() == Outcome.UNKNOWN
                && hold.isValid()
                && !written.why().equals("overtaken")) {
            pause(20);
            written = registers.settleFenced(hold.key, value, hold.token);
        }
        hold.observe("wrote value=%s outcome=%s why=%s", value, written.outcome(), written.why());
    }

    private void goOnAsReader(Hold hold) {
        hold.downgrade();
        if (hold.mode() == HoldMode.READ) {
            if (isLocked()) {
                readHolder(hold);
            }
            readTwice(hold);
        }
    }

    private void readTwice(Hold hold) {
        String register = Registers.FENCED + hold.key;
        for (int i = 0; i < 2; i++) {
            String value = read(hold, register);
            if (value != null) {
                hold.observe("read register=%s value=%s", register, value);
            }
            think();
        }
    }

    private String read(Hold hold, String register) {
        try {
            return registers.read(register).value();
        } catch (CompletionException e) {
            hold.observe(
                    "unread what=%s why=%s", register, e.getCause().getClass().getSimpleName());
            return null;
        }
    }

    /** Mostly short, but sometimes longer than a lease, which heartbeats must bridge. */
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

    static void pause(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts a worker", e);
        }
    }
}
