package io.dynamolock.store;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A call to the store failed. What it means for the call's effect is in its {@link #kind()}. */
public final class StoreFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What a failure tells about the call. */
    public enum Kind {
        /** Rejected for load. No effect; worth repeating. */
        THROTTLED,
        /** Rejected because a transaction was under way on the same item. No effect; worth repeating soon. */
        CONFLICTED,
        /** No answer, a broken connection or a server error. It may have taken effect or still do; worth repeating. */
        UNAVAILABLE,
        /** Rejected for good: no table, no permission, no credentials, bad request. No effect; repeating is useless. */
        REFUSED,
        /** Refused by this process itself, whose machine's clock is wrong. No effect; useless until the clock is set. */
        WRONG_CLOCK,
        /**
         * The answer could not be read: the item is not as the locks write it, or something unexpected was thrown on the
         * way, perhaps before the sending. A write may have taken effect; repeating is useless until somebody has put that
         * right.
         */
        UNREADABLE
    }

    private final Kind kind;

    public StoreFailure(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = Objects.requireNonNull(kind, "kind");
    }

    public Kind kind() {
        return kind;
    }

    /** Whether the call may have changed the store, or may still do so. */
    public boolean mayHaveTakenEffect() {
        return kind == Kind.UNAVAILABLE || kind == Kind.UNREADABLE;
    }

    /** Whether repeating the call is useless until somebody has put something right. */
    public boolean isForGood() {
        return kind == Kind.REFUSED || kind == Kind.WRONG_CLOCK || kind == Kind.UNREADABLE;
    }
}
