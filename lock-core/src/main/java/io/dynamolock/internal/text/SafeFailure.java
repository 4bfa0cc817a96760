package io.dynamolock.internal.text;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes failures safe for the log. Users' code throws them, or libraries that it calls, so their texts may be of any
 * length. An ordinary failure is logged as it is, and a failure with long texts by a copy with the same stack traces
 * and shorter texts.
 */
public final class SafeFailure {

    /** Maximum number of characters that are logged of the text of one failure. */
    public static final int MOST = 2_000;

    /** Maximum number of failures that are logged together: a failure with its causes and suppressed failures. */
    private static final int MOST_FAILURES = 50;

    private SafeFailure() {}

    /** What to log in the place of this failure. */
    public static Throwable of(Throwable failure) {
        return isShort(failure, emptySet()) ? failure : new Shortened(failure, emptySet());
    }

    private static Set<Throwable> emptySet() {
        return Collections.newSetFromMap(new IdentityHashMap<>());
    }

    /** @param seen the failures that this one belongs to, and those that were looked at before */
    private static boolean isShort(@Nullable Throwable failure, Set<Throwable> seen) {
        if (failure == null || !seen.add(failure)) {
            return true;
        }
        if (seen.size() > MOST_FAILURES || failure.toString().length() > MOST || !isShort(failure.getCause(), seen)) {
            return false;
        }
        for (Throwable suppressed : failure.getSuppressed()) {
            if (!isShort(suppressed, seen)) {
                return false;
            }
        }
        return true;
    }

    /** Stands in the log for a failure whose texts are too long. */
    private static final class Shortened extends RuntimeException {

        private static final long serialVersionUID = 1L;

        /** @param seen the failures that have a copy already */
        Shortened(Throwable failure, Set<Throwable> seen) {
            super(SafeText.clean(failure.toString(), MOST), causeOf(failure, seen));
            setStackTrace(failure.getStackTrace());
            for (Throwable suppressed : failure.getSuppressed()) {
                if (isToBeShown(suppressed, seen)) {
                    addSuppressed(new Shortened(suppressed, seen));
                }
            }
        }

        private static @Nullable Shortened causeOf(Throwable failure, Set<Throwable> seen) {
            seen.add(failure);
            Throwable cause = failure.getCause();
            return cause != null && isToBeShown(cause, seen) ? new Shortened(cause, seen) : null;
        }

        private static boolean isToBeShown(Throwable failure, Set<Throwable> seen) {
            return seen.size() < MOST_FAILURES && !seen.contains(failure);
        }
    }
}
