package io.dynamolock.engine;

import io.dynamolock.data.LockData;
import org.jspecify.annotations.Nullable;

/** The user's data as the owner of one grant has found it, writes it, and leaves it. */
final class GrantData {

    private volatile LockData known;
    private volatile @Nullable LockData toLeave;

    /** Writes that may still land; belongs to the event loop. */
    private int open;

    GrantData(LockData found) {
        known = found;
    }

    LockData known() {
        return known;
    }

    /** A write is sent. */
    void puts() {
        open++;
    }

    /** That write cannot land any more. */
    void putEnded() {
        open--;
    }

    boolean mayStillLand() {
        return open > 0;
    }

    void hasPut(LockData written) {
        known = written;
    }

    void leave(@Nullable LockData last) {
        toLeave = last;
    }

    /** What its owner leaves to the next by its release; {@code null} for nothing new. */
    @Nullable
    LockData toLeave() {
        return toLeave;
    }
}
