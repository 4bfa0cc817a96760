package io.dynamolock.internal.store;

import io.dynamolock.internal.protocol.LockKey;
import java.util.Objects;
import java.util.Optional;
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

    /** What a call was throttled for. Where the store tells several reasons, it is the first of them in this order. */
    public enum Throttling {
        /** One range of keys has no throughput left, however much the table has. */
        KEY_RANGE("key-range"),
        /** The provisioned capacity of the table is used up. */
        TABLE_CAPACITY("table-capacity"),
        /** The maximum that was set for an on-demand table is reached. */
        TABLE_MAXIMUM("table-maximum"),
        /** An index that somebody has added to the table cannot follow. */
        INDEX("index"),
        /** The account's quota is reached. */
        ACCOUNT("account"),
        /** The store did not say. */
        UNKNOWN("unknown");

        private final String tag;

        Throttling(String tag) {
            this.tag = tag;
        }

        /** Fit for a metric tag. */
        public String tag() {
            return tag;
        }
    }

    private final Kind kind;
    private final @Nullable Throttling throttling;
    private final transient @Nullable LockKey key;

    public StoreFailure(Kind kind, String message, @Nullable Throwable cause) {
        this(kind, null, null, message, cause);
    }

    private StoreFailure(
            Kind kind,
            @Nullable Throttling throttling,
            @Nullable LockKey key,
            String message,
            @Nullable Throwable cause) {
        super(message, cause);
        this.kind = Objects.requireNonNull(kind, "kind");
        this.throttling = throttling;
        this.key = key;
    }

    /**
     * The store had no throughput for a call.
     *
     * @param key the lock that the call was for; null if it was for a session, or for many locks
     */
    public static StoreFailure throttled(
            Throttling why, @Nullable LockKey key, String message, @Nullable Throwable cause) {
        return new StoreFailure(Kind.THROTTLED, Objects.requireNonNull(why, "why"), key, message, cause);
    }

    public Kind kind() {
        return kind;
    }

    /** Which throughput was used up; empty if the call failed for something else. */
    public Optional<Throttling> throttling() {
        return Optional.ofNullable(throttling);
    }

    /** The lock that a throttled call was for, if it was for one. It may be personal data, and is not in the message. */
    public Optional<LockKey> key() {
        return Optional.ofNullable(key);
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
