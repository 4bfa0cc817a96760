package io.dynamolock.internal.registry;

import io.dynamolock.LockRegistry;
import io.dynamolock.LockTimeoutException;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.engine.Moments;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** One lock of a registry that all tests share and that has its own threads, and a thread that can be interrupted. */
final class KeyInPlay {

    private static final LockRegistry REGISTRY =
            RegistryBuilder.of(new InMemoryLockStore()).build();

    /** More keys than are in use at the same time. */
    private static final int KEYS = 16_384;

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final AtomicInteger next = new AtomicInteger();

    final LockRegistry registry = REGISTRY;
    final String key = "k" + Math.floorMod(next.getAndIncrement(), KEYS);
    private volatile @Nullable Thread interruptible;
    private volatile boolean interrupted;

    /** From now on this thread may be interrupted. */
    void expectInterrupt() {
        interruptible = Thread.currentThread();
    }

    /** Interrupts the thread that expects an interrupt, a moment after {@code expectInterrupt}. */
    void interrupt() {
        Thread target;
        while ((target = interruptible) == null) {
            Thread.yield();
        }
        Moments.pass();
        target.interrupt();
        interrupted = true;
    }

    /** Waits for the interrupt and clears the flag. */
    String flag() {
        while (!interrupted) {
            Thread.yield();
        }
        return Thread.interrupted() ? "flag" : "no flag";
    }

    /** Whether other callers can get the lock. */
    String free() {
        try {
            registry.acquire(key, PATIENCE).release();
            return "free";
        } catch (LockTimeoutException e) {
            return "held by nobody";
        }
    }
}
