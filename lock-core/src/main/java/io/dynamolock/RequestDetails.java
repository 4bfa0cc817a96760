package io.dynamolock;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.engine.Kind;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What few {@linkplain LockRequest requests} say.
 *
 * @param permits of how many permits one is wanted; 0 for other kinds
 * @param caller who asks; {@code null} for the thread that does
 */
record RequestDetails(
        Kind kind,
        int permits,
        @Nullable LockData data,
        boolean onlyIfExists,
        @Nullable String caller) {

    static final RequestDetails USUAL = new RequestDetails(Kind.EXCLUSIVE, 0, null, false, null);

    /** What is longer is no limit. */
    private static final Duration CENTURY = Duration.ofDays(36_500);

    static @Nullable Duration limit(@Nullable Duration maxHold) {
        return maxHold == null || maxHold.compareTo(CENTURY) > 0 ? null : maxHold;
    }

    static @Nullable Duration atMost(@Nullable Duration holdAtLeast) {
        return holdAtLeast == null || holdAtLeast.compareTo(CENTURY) < 0 ? holdAtLeast : CENTURY;
    }

    RequestDetails as(Kind other, int ofPermits) {
        return new RequestDetails(other, ofPermits, data, onlyIfExists, caller);
    }

    RequestDetails with(@Nullable LockData other) {
        return new RequestDetails(kind, permits, other, onlyIfExists, caller);
    }

    RequestDetails existing() {
        return new RequestDetails(kind, permits, data, true, caller);
    }

    RequestDetails by(String who) {
        return new RequestDetails(kind, permits, data, onlyIfExists, who);
    }

    void check(LockRequest whose) {
        if (data != null && kind != Kind.EXCLUSIVE) {
            throw new IllegalArgumentException("Only a caller that has the lock for itself alone writes data; leave"
                    + " data() out for " + LockNames.describe(whose.lock()) + ".");
        }
    }

    static Duration notNegative(String what, Duration duration, LockRequest whose) {
        Objects.requireNonNull(duration, what);
        if (duration.isNegative()) {
            throw new IllegalArgumentException(what + " must not be negative, but was " + duration + " for "
                    + LockNames.describe(whose.lock()) + ".");
        }
        return duration;
    }

    /** Virtual threads have no name unless they are given one. */
    String callerOrThread() {
        if (caller != null) {
            return caller;
        }
        Thread thread = Thread.currentThread();
        String name = thread.getName();
        return name.isEmpty() ? "thread " + thread.getId() : name;
    }

    /** To be read behind what all requests say. */
    @Override
    public String toString() {
        return (kind == Kind.EXCLUSIVE ? "" : ", kind=" + kind)
                + (permits == 0 ? "" : ", permits=" + permits)
                + (data == null ? "" : ", data=" + data)
                + (onlyIfExists ? ", onlyIfExists" : "")
                + (caller == null ? "" : ", caller=" + caller);
    }
}
