package io.dynamolock.spring.unlocked;

import io.dynamolock.LeaderElection;
import io.dynamolock.LockAdmin;
import io.dynamolock.LockClosedException;
import io.dynamolock.LockMode;
import io.dynamolock.LockRequest;
import io.dynamolock.internal.Internals;
import java.time.Clock;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Makes the handles of one registry, and knows the handles that are neither released nor lost. Thread-safe. */
final class UnlockedGrants {

    private final AtomicLong nextToken;
    private final Clock clock;
    private final LongSupplier nanoTime;
    private final Executor callbacks;

    /** The valid handles. A handle that its user drops without closing is garbage-collected. */
    private final Set<UnlockedHandle> valid =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    /**
     * Whether the registry is closed or being closed. Set by {@link #refuse}, never cleared. Nothing is granted from
     * then on.
     */
    private volatile boolean closed;

    /** @param callbacks runs the users' callbacks when a lock is lost */
    UnlockedGrants(long firstToken, Clock clock, LongSupplier nanoTime, Executor callbacks) {
        this.nextToken = new AtomicLong(firstToken);
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.callbacks = callbacks;
    }

    /**
     * @throws IllegalArgumentException if a reader or the holder of a permit wants to write data
     * @throws LockClosedException if the registry is closed
     */
    void check(LockRequest request) {
        Objects.requireNonNull(request, "request");
        if (request.data().isPresent() && !isAlone(request)) {
            throw new IllegalArgumentException("Only a caller that has the lock for itself alone writes data; leave"
                    + " data() out for " + Internals.describe(request) + ".");
        }
        requireOpen(request);
    }

    /**
     * As {@link #check}, for requests that users make by hand: what works without locks must work with them.
     *
     * @throws IllegalArgumentException also if the lock could be that of an election
     */
    void checkByHand(LockRequest request) {
        check(request);
        if (request.namespace().equals(LeaderElection.NAMESPACE)) {
            throw new IllegalArgumentException(
                    "The namespace \"" + LeaderElection.NAMESPACE + "\" is that of leader elections, so the "
                            + UnlockedLockId.of(request)
                            + " would keep a leader out. Take another namespace, or stand for election by elect.");
        }
    }

    /** @throws LockClosedException if the registry is closed */
    void requireOpen(LockRequest request) {
        if (closed) {
            throw new LockClosedException(request.key(), request.namespace(), request.name());
        }
    }

    /** Grants the lock. Throws the same exceptions as {@link #checkByHand}. */
    UnlockedHandle grant(LockRequest request) {
        checkByHand(request);
        UnlockedHandle handle =
                new UnlockedHandle(request, nextToken(), clock.instant(), isAlone(request), nanoTime, callbacks, valid);
        valid.add(handle);
        if (closed) {
            // loseAll() may have missed this handle.
            handle.lose();
            requireOpen(request);
        }
        return handle;
    }

    /** Whether the request is for the whole lock, not for a share or a permit. */
    private static boolean isAlone(LockRequest request) {
        return request.mode() == LockMode.EXCLUSIVE && request.permits().isEmpty();
    }

    long nextToken() {
        return nextToken.getAndIncrement();
    }

    boolean hasMade(UnlockedHandle handle) {
        return handle.isOfRegistryWith(valid);
    }

    /** The valid handles, the longest held first. */
    List<LockAdmin.Held> held() {
        return snapshot().stream()
                .map(UnlockedHandle::asHeld)
                .sorted(Comparator.comparing(LockAdmin.Held::since).thenComparing(LockAdmin.Held::fencingToken))
                .toList();
    }

    private List<UnlockedHandle> snapshot() {
        synchronized (valid) {
            return List.copyOf(valid);
        }
    }

    /** Grants nothing from now on. */
    void refuse() {
        closed = true;
    }

    /** Ends every hold. */
    void loseAll() {
        snapshot().forEach(UnlockedHandle::lose);
    }
}
