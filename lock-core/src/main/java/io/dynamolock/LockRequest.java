package io.dynamolock;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.Internals;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * What a caller wants: which lock, how long to wait for it and how long to hold it. Immutable and thread-safe; every
 * method that sets something returns a new request.
 *
 * <pre>{@code
 * LockRequest.of("customer:42").namespace("billing").waitTime(Duration.ofSeconds(30)).maxHold(Duration.ofMinutes(2))
 * }</pre>
 */
public final class LockRequest {

    /** The namespace of a request that names none. */
    public static final String DEFAULT_NAMESPACE = "default";

    /** A wait that never ends by itself. Every wait of more than 36,500 days means the same. */
    public static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);

    private final String key;
    private final String namespace;
    private final @Nullable String name;
    private final @Nullable Duration waitTime;
    private final @Nullable Duration maxHold;
    private final @Nullable Duration holdAtLeast;
    private final Details details;

    /** The ways to hold a lock. A request wants one of them. */
    private enum Way {
        EXCLUSIVE,
        SHARED,
        DOWNGRADABLE,
        PERMIT
    }

    /**
     * What few requests set, in an object of its own so that the others stay small.
     *
     * @param permits of how many permits one is wanted; 0 unless the way is {@link Way#PERMIT}
     */
    private record Details(
            Way way,
            int permits,
            @Nullable LockData data,
            boolean onlyIfExists,
            @Nullable String caller,
            @Nullable Boolean awaitRelease,
            @Nullable Duration stay) {

        static final Details DEFAULT = new Details(Way.EXCLUSIVE, 0, null, false, null, null, null);

        Details withWay(Way wanted, int ofPermits) {
            return new Details(wanted, ofPermits, data, onlyIfExists, caller, awaitRelease, stay);
        }

        Details withData(LockData other) {
            return new Details(way, permits, other, onlyIfExists, caller, awaitRelease, stay);
        }

        Details withOnlyIfExists() {
            return new Details(way, permits, data, true, caller, awaitRelease, stay);
        }

        Details withCaller(String other) {
            return new Details(way, permits, data, onlyIfExists, other, awaitRelease, stay);
        }

        Details withAwaitRelease(boolean other) {
            return new Details(way, permits, data, onlyIfExists, caller, other, stay);
        }

        Details withStay(Duration other) {
            return new Details(way, permits, data, onlyIfExists, caller, awaitRelease, other);
        }

        /** The call that set the way, as a user writes it; empty if the way is the default. */
        String wayAsWritten() {
            return switch (way) {
                case EXCLUSIVE -> "";
                case SHARED -> "mode(SHARED)";
                case DOWNGRADABLE -> "downgradable()";
                case PERMIT -> "permits(" + permits + ")";
            };
        }

        /** The last part of the request's text. Begins with a comma unless it is empty. */
        @Override
        public String toString() {
            return (way == Way.EXCLUSIVE ? "" : ", " + wayAsWritten())
                    + (data == null ? "" : ", data=" + data)
                    + (onlyIfExists ? ", onlyIfExists" : "")
                    + (caller == null ? "" : ", caller=" + Internals.personal(caller))
                    + (awaitRelease == null ? "" : ", awaitRelease=" + awaitRelease)
                    + (stay == null ? "" : ", stay=" + stay);
        }
    }

    private LockRequest(
            String key,
            String namespace,
            @Nullable String name,
            @Nullable Duration waitTime,
            @Nullable Duration maxHold,
            @Nullable Duration holdAtLeast,
            Details details) {
        this.key = key;
        this.namespace = namespace;
        this.name = name;
        this.waitTime = waitTime;
        this.maxHold = maxHold;
        this.holdAtLeast = holdAtLeast;
        this.details = details;
        if (maxHold != null && holdAtLeast != null && holdAtLeast.compareTo(maxHold) > 0) {
            throw new IllegalArgumentException("holdAtLeast (" + holdAtLeast + ") must not be longer than maxHold ("
                    + maxHold + ") for " + describe() + ".");
        }
    }

    /**
     * A request for this key in the namespace {@value #DEFAULT_NAMESPACE}, without limits on the hold.
     *
     * <p>Without {@link #waitTime(Duration)}, {@code tryAcquire} does not wait, {@link ThreadLock#lock()} waits for
     * ever, and all other methods wait as long as {@linkplain LockRegistryBuilder#wait(Duration) the registry's
     * builder} says.
     *
     * @param key what is locked: any Unicode, not empty, at most 2,048 bytes of UTF-8 less those of the registry's key
     *     prefix
     * @throws IllegalArgumentException if the key is empty or too long, or contains an unpaired surrogate
     */
    public static LockRequest of(String key) {
        Objects.requireNonNull(key, "key");
        return new LockRequest(Internals.requireKey(key), DEFAULT_NAMESPACE, null, null, null, null, Details.DEFAULT);
    }

    /**
     * Keeps this lock apart from locks on the same key for other purposes. Three namespaces are taken: {@value
     * LeaderElection#NAMESPACE} by elections, and {@code shedlock} and {@code integration} by the adapters of the
     * Spring Boot starter. A registry refuses to acquire in the first, by an {@link IllegalArgumentException}. In the
     * other two it acquires, but the lock is the adapter's: while it is held, the job with this key is skipped, and a
     * caller of Spring Integration waits.
     *
     * @param namespace not empty, without slashes, at most 1,023 bytes of UTF-8
     * @throws IllegalArgumentException if the namespace is empty or too long, or contains a slash or an unpaired
     *     surrogate
     */
    public LockRequest namespace(String namespace) {
        Objects.requireNonNull(namespace, "namespace");
        String checked = Internals.requireNamespace(namespace);
        return new LockRequest(key, checked, name, waitTime, maxHold, holdAtLeast, details);
    }

    /**
     * How long to wait for the lock.
     *
     * @param waitTime zero fails at once if another caller is ahead; {@link #FOREVER}, and anything over 36,500 days,
     *     never gives up
     * @throws IllegalArgumentException if the wait is negative
     */
    public LockRequest waitTime(Duration waitTime) {
        Duration checked = notNegative("waitTime", waitTime);
        return new LockRequest(key, namespace, name, checked, maxHold, holdAtLeast, details);
    }

    /** As {@link #waitTime(Duration) waitTime(FOREVER)}. */
    public LockRequest waitForever() {
        return waitTime(FOREVER);
    }

    /**
     * A name for this kind of lock in metrics and events. Use few different names: unlike keys, they become metric
     * tags.
     *
     * @param name not empty
     * @throws IllegalArgumentException if it is empty
     */
    public LockRequest name(String name) {
        Objects.requireNonNull(name, "name");
        String checked = Internals.requireNotEmpty("A lock's name", name);
        return new LockRequest(key, namespace, checked, waitTime, maxHold, holdAtLeast, details);
    }

    /**
     * Who wants the lock, for people: {@link LockAdmin#held()} and {@link LockAdmin#waiters()} show it, and the message
     * of a {@link LockTimeoutException} if this caller kept another one of its registry from the lock. Unless set, the
     * name of the calling thread. It may be personal data, see {@link LockMessages}.
     *
     * @param caller not empty
     * @throws IllegalArgumentException if it is empty
     */
    public LockRequest caller(String caller) {
        Objects.requireNonNull(caller, "caller");
        String checked = Internals.requireNotEmpty("A caller's name", caller);
        return with(details.withCaller(checked));
    }

    private LockRequest with(Details other) {
        return new LockRequest(key, namespace, name, waitTime, maxHold, holdAtLeast, other);
    }

    /**
     * Takes the lock away after this long: the handle becomes invalid, {@link LockHandle#onLost(Runnable)} is called
     * and others can get the lock, so that a hung thread does not hold it for as long as its process lives. The thread
     * itself is not stopped.
     *
     * @param maxHold more than zero and not less than {@link #holdAtLeast()}; over 36,500 days means no limit
     * @throws IllegalArgumentException if it is out of this range
     */
    public LockRequest maxHold(Duration maxHold) {
        notNegative("maxHold", maxHold);
        if (maxHold.isZero()) {
            throw new IllegalArgumentException("maxHold must be more than zero, but was " + maxHold + " for "
                    + describe() + ". Leave it out for a hold without limit.");
        }
        return new LockRequest(key, namespace, name, waitTime, maxHold, holdAtLeast, details);
    }

    /**
     * Keeps the lock for at least this long, counted from the grant: an earlier release makes the handle invalid at
     * once, but others get the lock only when this time is over. So a job with a fixed time runs once, although the
     * clocks of its processes differ.
     *
     * <p>The time continues after {@link LockRegistry#close()}, even if the lock is still held then: the handle is
     * invalid, and the lock stays taken until this time is over by the store's clock. If the process is killed, is cut
     * off for a lease, or cannot reach the store when it closes, others wait only for the lease.
     *
     * <p>A lock that is granted just when its caller gives up, for example by an interrupt, is not kept: nothing has
     * run under it.
     *
     * @param holdAtLeast zero or more and not more than {@link #maxHold()}
     * @throws IllegalArgumentException if it is out of this range
     */
    public LockRequest holdAtLeast(Duration holdAtLeast) {
        Duration checked = notNegative("holdAtLeast", holdAtLeast);
        return new LockRequest(key, namespace, name, waitTime, maxHold, checked, details);
    }

    /**
     * How the lock is to be held; by default exclusively. Sharing usually costs the same. Readers of one registry that
     * come together share one entry in the queue.
     *
     * @throws IllegalArgumentException if the request is for {@linkplain #permits(int) permits} or
     *     {@linkplain #downgradable() downgradable}: each of the three says how the lock is to be held
     */
    public LockRequest mode(LockMode mode) {
        Objects.requireNonNull(mode, "mode");
        if (details.way != Way.SHARED) {
            refuseSecondWay(Way.EXCLUSIVE, "mode(" + mode + ")");
        }
        return with(details.withWay(mode == LockMode.SHARED ? Way.SHARED : Way.EXCLUSIVE, 0));
    }

    /**
     * Requests one of this many permits instead of the whole lock, see {@link LockRegistry#permits}.
     *
     * @param permits 1 or more; the registry refuses more than {@link LockRegistryBuilder#maxQueue}
     * @throws IllegalArgumentException if it is less than 1, or the request is {@linkplain #mode(LockMode) shared} or
     *     {@linkplain #downgradable() downgradable}
     */
    public LockRequest permits(int permits) {
        if (permits < 1) {
            throw new IllegalArgumentException(
                    "permits must be 1 or more, but was " + permits + " for " + describe() + ".");
        }
        refuseSecondWay(Way.PERMIT, "permits(" + permits + ")");
        return with(details.withWay(Way.PERMIT, permits));
    }

    /**
     * Requests the lock exclusively, and lets its holder go on as a reader by {@link LockHandle#downgrade()}. Each such
     * caller has its own entry in the queue.
     *
     * @throws IllegalArgumentException if the request is {@linkplain #mode(LockMode) shared} or for
     *     {@linkplain #permits(int) permits}
     */
    public LockRequest downgradable() {
        refuseSecondWay(Way.DOWNGRADABLE, "downgradable()");
        return with(details.withWay(Way.DOWNGRADABLE, 0));
    }

    /** Neither of two ways may silently undo the other. */
    private void refuseSecondWay(Way wanted, String asWritten) {
        if (details.way != wanted && details.way != Way.EXCLUSIVE) {
            throw new IllegalArgumentException(asWritten + " and " + details.wayAsWritten() + " exclude each other for "
                    + describe() + ": each says how the lock is to be held. Leave one of them out.");
        }
    }

    /**
     * How the lock is to be held. A permit counts as exclusive, although others may hold other permits at the same
     * time.
     */
    public LockMode mode() {
        return details.way == Way.SHARED ? LockMode.SHARED : LockMode.EXCLUSIVE;
    }

    /** The number of permits, one of which is requested; empty if the whole lock is requested. */
    public OptionalInt permits() {
        return details.permits == 0 ? OptionalInt.empty() : OptionalInt.of(details.permits);
    }

    /** Whether the holder can {@linkplain #downgradable() go on as a reader}. */
    public boolean isDowngradable() {
        return details.way == Way.DOWNGRADABLE;
    }

    /**
     * Writes this data into the lock's item when the lock is granted, before the caller gets its handle. It replaces
     * the data that the last holder left there; {@link LockData#EMPTY} removes that data. By default, the data stays.
     * Costs a separate write, as {@link LockHandle#putData} does. If that write fails, the lock is released and the
     * call fails. With data, the registry refuses requests of readers and for permits with an {@link
     * IllegalArgumentException}.
     */
    public LockRequest data(LockData data) {
        Objects.requireNonNull(data, "data");
        return with(details.withData(data));
    }

    /**
     * Requests the lock only if it exists, which means that the table has an item for it: the lock was used within the
     * {@linkplain LockRegistryBuilder#retention retention}, or other callers of this process want it at the same time.
     * If it does not exist, the call fails with {@link LockNotFoundException}, and no item is created.
     */
    public LockRequest onlyIfExists() {
        return with(details.withOnlyIfExists());
    }

    /**
     * Whether {@code withLock} and {@code @DynamoLocked} wait until the lock is released in the table. By default, the
     * setting of the registry applies; {@link LockRegistryBuilder#awaitRelease(boolean)} says when to use it.
     *
     * <p>A release by a method of {@link LockHandle} or of {@link ThreadLock} is always awaited, and so is the release
     * of a lock with a {@linkplain #holdAtLeast(Duration) shortest hold}, if that time is already over.
     */
    public LockRequest awaitRelease(boolean awaitRelease) {
        return with(details.withAwaitRelease(awaitRelease));
    }

    /**
     * For how long the entry of the released lock may stay in the queue, so that a caller of this process that comes
     * back at once gets the lock without a call. By default, the setting of the registry applies; {@link
     * LockRegistryBuilder#stay(Duration)} says what a stay costs others. Has no effect on a release that is {@linkplain
     * #awaitRelease(boolean) awaited}.
     *
     * @param stay from zero, which switches it off, to 50 ms
     * @throws IllegalArgumentException if the time is out of this range
     */
    public LockRequest stay(Duration stay) {
        Duration checked = notNegative("stay", stay);
        if (checked.compareTo(Internals.longestStay()) > 0) {
            throw new IllegalArgumentException("stay must not be longer than " + Internals.longestStay() + ", but was "
                    + stay + " for " + describe() + ": others have to wait while the entry of a released lock stays."
                    + " Give less, or zero to let nothing stay.");
        }
        return with(details.withStay(checked));
    }

    /** What is locked. */
    public String key() {
        return key;
    }

    /** The namespace, {@value #DEFAULT_NAMESPACE} unless set. */
    public String namespace() {
        return namespace;
    }

    /** The name for metrics and events; by default the namespace. */
    public String name() {
        return name != null ? name : namespace;
    }

    /** Who wants the lock; empty if it was not set, which means the name of the calling thread. */
    public Optional<String> caller() {
        return Optional.ofNullable(details.caller);
    }

    /** How long to wait; empty if it was not set, see {@link #of(String)}. */
    public Optional<Duration> waitTime() {
        return Optional.ofNullable(waitTime);
    }

    /** The time after which the lock is taken away; empty if it was not set. */
    public Optional<Duration> maxHold() {
        return Optional.ofNullable(maxHold);
    }

    /** The least time for which the lock is kept; empty if it was not set. */
    public Optional<Duration> holdAtLeast() {
        return Optional.ofNullable(holdAtLeast);
    }

    /** The data to be written when the lock is granted; empty if the lock's data is kept as it is. */
    public Optional<LockData> data() {
        return Optional.ofNullable(details.data);
    }

    /** Whether the lock must {@linkplain #onlyIfExists() exist} already. */
    public boolean isOnlyIfExists() {
        return details.onlyIfExists;
    }

    /** Whether the end of a locked section waits for the release; empty if it was not set. */
    public Optional<Boolean> awaitRelease() {
        return Optional.ofNullable(details.awaitRelease);
    }

    /** For how long the entry of the released lock may stay in the queue; empty if it was not set. */
    public Optional<Duration> stay() {
        return Optional.ofNullable(details.stay);
    }

    private Duration notNegative(String what, Duration duration) {
        Objects.requireNonNull(duration, what);
        if (duration.isNegative()) {
            throw new IllegalArgumentException(
                    what + " must not be negative, but was " + duration + " for " + describe() + ".");
        }
        return duration;
    }

    private String describe() {
        return Internals.describe(this);
    }

    private List<@Nullable Object> parts() {
        return Arrays.asList(key, namespace, name, waitTime, maxHold, holdAtLeast, details);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LockRequest that && parts().equals(that.parts());
    }

    @Override
    public int hashCode() {
        return parts().hashCode();
    }

    @Override
    public String toString() {
        return "LockRequest[key=" + Internals.text(key, namespace) + ", namespace=" + namespace + ", name=" + name()
                + ", wait="
                + (FOREVER.equals(waitTime) ? "forever" : waitTime) + ", maxHold=" + maxHold + ", holdAtLeast="
                + holdAtLeast
                + details + "]";
    }
}
