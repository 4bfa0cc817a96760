package io.dynamolock.internal.engine;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/** Short waits. */
public final class Moments {

    private static final int LONGEST_SPIN = 1_000;
    private static final long PATIENCE_MILLIS = 5_000;
    private static final long AFTER_A_WAIT_IN_VAIN_MILLIS = 500;

    private static final AtomicBoolean waitedInVain = new AtomicBoolean();

    private Moments() {}

    /** Waits for a short random time, so that a race with a longer piece of code reaches all parts of that code. */
    public static void pass() {
        for (int i = ThreadLocalRandom.current().nextInt(LONGEST_SPIN); i > 0; i--) {
            Thread.onSpinWait();
        }
    }

    /**
     * Waits for something that must happen, for so long that a busy machine is no excuse. Once a wait has failed the
     * test has failed, and later waits are shorter.
     */
    public static boolean await(BooleanSupplier condition) {
        long patience = waitedInVain.get() ? AFTER_A_WAIT_IN_VAIN_MILLIS : PATIENCE_MILLIS;
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > TimeUnit.MILLISECONDS.toNanos(patience)) {
                waitedInVain.set(true);
                return false;
            }
            Thread.yield();
        }
        return true;
    }
}
