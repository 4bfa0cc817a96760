package io.dynamolock.internal.store;

import io.dynamolock.internal.protocol.LockKey;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A call to the store failed. The {@link #kind()} tells whether the call may have had an effect. */
public final class StoreFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Whether a failed call may have had an effect, and whether to repeat it. */
    public enum Kind {
        /** Rejected because of load. No effect; worth repeating. */
        THROTTLED,
        /** Rejected because a transaction was writing the same item. No effect; worth repeating soon. */
        CONFLICTED,
        /**
         * No answer, a broken connection or a server error. The call may have taken effect or may still do so; worth
         * repeating.
         */
        UNAVAILABLE,
        /**
         * Rejected because there is no table, no permission or no credentials. No effect; worth repeating, because
         * somebody may put that right at any time, or it heals by itself, as expired credentials do.
         */
        DENIED,
        /** Rejected for good, as a bad request is. No effect; repeating is useless. */
        REFUSED,
        /**
         * The answer could not be read: the item has another format, or is not as DynamoLock writes it ({@link
         * #unreadable()} tells which), or something unexpected was thrown, perhaps even before the call was sent.
         * Repeating is useless until somebody has mended the cause.
         */
        UNREADABLE
    }

    /** Why a call was throttled. If the store tells several reasons, the first of them in this order counts. */
    public enum Throttling {
        /** One range of keys has no throughput left, even if the table has. */
        KEY_RANGE("key-range"),
        /** The provisioned capacity of the table is used up. */
        TABLE_CAPACITY("table-capacity"),
        /** The maximum throughput set for an on-demand table is reached. */
        TABLE_MAXIMUM("table-maximum"),
        /** An index that somebody has added to the table cannot keep up. */
        INDEX("index"),
        /** The account's quota is reached. */
        ACCOUNT("account"),
        /** The store did not tell. */
        UNKNOWN("unknown");

        private final String tag;

        Throttling(String tag) {
            this.tag = tag;
        }

        /** The value of a metric's tag. */
        public String tag() {
            return tag;
        }
    }

    /**
     * An item that could not be read.
     *
     * @param reason why not
     */
    public record Unreadable(Item item, Reason reason) {

        /** Whose item it is. */
        public enum Item {
            LOCK("lock"),
            SESSION("session");

            private final String tag;

            Item(String tag) {
                this.tag = tag;
            }

            /** The value of a metric's tag. */
            public String tag() {
                return tag;
            }
        }

        /** Why an item could not be read. */
        public enum Reason {
            /** The item has a format that this version does not know. */
            FORMAT("format"),
            /** The item has the format of this version, but is not as this version writes it. */
            MALFORMED("malformed");

            private final String tag;

            Reason(String tag) {
                this.tag = tag;
            }

            /** The value of a metric's tag. */
            public String tag() {
                return tag;
            }
        }
    }

    /** Whether a failed call has changed the store. */
    private enum Effect {
        NONE,
        PERHAPS,
        CERTAIN
    }

    private final Kind kind;
    private final Effect effect;
    private final @Nullable Throttling throttling;
    private final transient @Nullable Unreadable unreadable;
    private final transient @Nullable LockKey key;

    public StoreFailure(Kind kind, String message, @Nullable Throwable cause) {
        this(
                kind,
                kind == Kind.UNAVAILABLE || kind == Kind.UNREADABLE ? Effect.PERHAPS : Effect.NONE,
                null,
                null,
                null,
                message,
                cause);
    }

    private StoreFailure(
            Kind kind,
            Effect effect,
            @Nullable Throttling throttling,
            @Nullable Unreadable unreadable,
            @Nullable LockKey key,
            String message,
            @Nullable Throwable cause) {
        super(message, cause);
        this.kind = Objects.requireNonNull(kind, "kind");
        this.effect = effect;
        this.throttling = throttling;
        this.unreadable = unreadable;
        this.key = key;
    }

    /**
     * The failure of a call for which the store had no throughput.
     *
     * @param key the lock that the call was for; {@code null} if it was for a session or for several locks
     */
    public static StoreFailure throttled(
            Throttling why, @Nullable LockKey key, String message, @Nullable Throwable cause) {
        Objects.requireNonNull(why, "why");
        return new StoreFailure(Kind.THROTTLED, Effect.NONE, why, null, key, message, cause);
    }

    /**
     * The failure of a call whose answer shows an item that cannot be read.
     *
     * @param key the lock that the call was for; {@code null} if it was for a session or for several locks
     * @param isCarriedOut whether the call was carried out; otherwise its condition did not hold
     */
    public static StoreFailure unreadable(
            Unreadable what, @Nullable LockKey key, boolean isCarriedOut, String message, @Nullable Throwable cause) {
        Effect effect = isCarriedOut ? Effect.CERTAIN : Effect.NONE;
        return new StoreFailure(Kind.UNREADABLE, effect, null, what, key, message, cause);
    }

    public Kind kind() {
        return kind;
    }

    /** Which throughput was used up; empty if the call was not throttled. */
    public Optional<Throttling> throttling() {
        return Optional.ofNullable(throttling);
    }

    /** Which item could not be read; empty if the call failed for another reason. */
    public Optional<Unreadable> unreadable() {
        return Optional.ofNullable(unreadable);
    }

    /**
     * The lock that a throttled call was for, or whose item could not be read; empty if the call was for a session or
     * for several locks. The key may be personal data, so it is not in the message.
     */
    public Optional<LockKey> key() {
        return Optional.ofNullable(key);
    }

    /** Whether the call may have changed the store or may still change it. */
    public boolean mayHaveTakenEffect() {
        return effect != Effect.NONE;
    }

    /** Whether the call, if it was a write, has certainly changed the store, although its answer could not be read. */
    public boolean hasTakenEffect() {
        return effect == Effect.CERTAIN;
    }

    /** Whether it is useless to repeat the call, even for callers that have time. */
    public boolean isForGood() {
        return kind == Kind.REFUSED || kind == Kind.UNREADABLE;
    }

    /** Whether the next try will most likely fail as well: callers that have no time need not wait for one. */
    public boolean isLasting() {
        return kind == Kind.DENIED || isForGood();
    }
}
