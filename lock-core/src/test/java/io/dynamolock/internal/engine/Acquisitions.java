package io.dynamolock.internal.engine;

import io.dynamolock.internal.process.LockEngine;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Starts acquisitions, and tells how they have ended. */
public final class Acquisitions {

    private Acquisitions() {}

    /** Lets several callers of a process ask for a lock at the same time. */
    public static List<Acquisition> start(LockEngine process, int callers, AcquireSpec spec) {
        return Stream.generate(() -> process.acquire(spec)).limit(callers).toList();
    }

    /** Releases the lock as soon as it is granted. */
    public static void releaseAtOnce(Acquisition acquisition) {
        acquisition.outcome().thenAccept(outcome -> {
            if (outcome instanceof AcquireOutcome.Granted granted) {
                granted.grant().release();
            }
        });
    }

    /** How an acquisition has ended; {@code null} if it has not. */
    public static @Nullable AcquireOutcome outcome(Acquisition acquisition) {
        return acquisition.outcome().getNow(null);
    }

    public static boolean isGranted(Acquisition acquisition) {
        return outcome(acquisition) instanceof AcquireOutcome.Granted;
    }

    public static boolean isTimedOut(Acquisition acquisition) {
        return outcome(acquisition) instanceof AcquireOutcome.TimedOut;
    }

    /** The grant of an acquisition that has one. */
    public static Grant grant(Acquisition acquisition) {
        AcquireOutcome outcome = outcome(acquisition);
        if (outcome instanceof AcquireOutcome.Granted granted) {
            return granted.grant();
        }
        throw new AssertionError("not granted: " + outcome);
    }
}
