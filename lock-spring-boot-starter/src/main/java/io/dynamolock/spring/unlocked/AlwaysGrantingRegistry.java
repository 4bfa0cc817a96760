package io.dynamolock.spring.unlocked;

import io.dynamolock.LeaderElection;
import io.dynamolock.LeaderListener;
import io.dynamolock.LockAdmin;
import io.dynamolock.LockHandle;
import io.dynamolock.LockInterruptedException;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.ThreadLock;
import io.dynamolock.internal.Internals;
import io.dynamolock.spring.internal.Daemons;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A registry that locks nothing: it grants every request at once, to any number of callers. Otherwise it keeps the
 * contract of {@link LockRegistry}, with the following differences. Thread-safe.
 *
 * <ul>
 *   <li>A handle stays valid until it is released or the registry is closed. A {@code maxHold} is checked, but never
 *       ends a hold.
 *   <li>Each grant has a greater fencing token than the grant before it, whichever lock it is for.
 *   <li>A request for {@linkplain LockRequest#onlyIfExists() an existing lock} or for {@linkplain
 *       LockRequest#permits(int) a permit} is granted, too.
 *   <li>A handle sees only the {@linkplain LockHandle#data() data} that it has written itself. The next holder finds no
 *       data.
 *   <li>{@link LockHandle#fence()} throws {@link UnsupportedOperationException}, as for every lock that is not in
 *       DynamoDB.
 *   <li>Each candidate of an election leads until it is closed. A candidate that {@linkplain LeaderElection#yield()
 *       yields} leads again.
 *   <li>{@link LockAdmin#inspect}, {@link LockAdmin#list}, {@link LockAdmin#listAll} and {@link LockAdmin#evict} throw
 *       {@link UnsupportedOperationException}: they are about all processes, and this registry knows only its own.
 *       {@link LockAdmin#pause} and {@link LockAdmin#resume} do nothing, because no other process waits.
 * </ul>
 */
public final class AlwaysGrantingRegistry implements LockRegistry {

    private static final Logger LOG = LoggerFactory.getLogger(AlwaysGrantingRegistry.class);

    /** How long {@link #close()} waits for leaders to resign: as long as a registry with default settings does. */
    private static final Duration LONGEST_RESIGNATION = Duration.ofSeconds(12);

    private final UnlockedGrants grants;
    private final UnlockedAdmin admin;
    private final UnlockedThreadHolds threadHolds = new UnlockedThreadHolds();
    /** Runs callbacks for losses and the listeners of elections. */
    private final Executor callbacks;
    /** The elections that have not ended. */
    private final Set<UnlockedElection> elections = ConcurrentHashMap.newKeySet();

    /** A registry whose fencing tokens begin at 1. */
    public static AlwaysGrantingRegistry create() {
        return new AlwaysGrantingRegistry(1, Clock.systemUTC(), System::nanoTime, Daemons.each("dynamolock-unlocked-"));
    }

    AlwaysGrantingRegistry(long firstToken, Clock clock, LongSupplier nanoTime, Executor callbacks) {
        this.grants = new UnlockedGrants(firstToken, clock, nanoTime, callbacks);
        this.admin = new UnlockedAdmin(grants);
        this.callbacks = callbacks;
    }

    @Override
    public LockHandle acquire(LockRequest request) {
        grants.checkByHand(request);
        requireNoInterrupt(request);
        return grants.grant(request);
    }

    @Override
    public Optional<LockHandle> tryAcquire(LockRequest request) {
        return Optional.of(acquire(request));
    }

    @Override
    public CompletableFuture<LockHandle> acquireAsync(LockRequest request) {
        return CompletableFuture.completedFuture(grants.grant(request));
    }

    @Override
    public List<LockHandle> acquireAll(Collection<LockRequest> requests) {
        List<LockRequest> checked = checked(requests);
        checked.forEach(AlwaysGrantingRegistry::requireNoInterrupt);
        return granted(checked);
    }

    @Override
    public CompletableFuture<List<LockHandle>> acquireAllAsync(Collection<LockRequest> requests) {
        return CompletableFuture.completedFuture(granted(checked(requests)));
    }

    /** A copy of the requests. Nothing is granted if one of them is invalid. */
    private List<LockRequest> checked(Collection<LockRequest> requests) {
        List<LockRequest> copy = List.copyOf(requests);
        Set<UnlockedLockId> locks = new HashSet<>();
        for (LockRequest request : copy) {
            grants.checkByHand(request);
            if (!locks.add(UnlockedLockId.of(request))) {
                throw new IllegalArgumentException(
                        "The " + Internals.describe(request) + " is requested twice. Request it once.");
            }
        }
        return copy;
    }

    private List<LockHandle> granted(List<LockRequest> requests) {
        return requests.stream().<LockHandle>map(grants::grant).toList();
    }

    private static void requireNoInterrupt(LockRequest request) {
        if (Thread.currentThread().isInterrupted()) {
            throw new LockInterruptedException(
                    request.key(),
                    request.namespace(),
                    "Interrupted before the " + Internals.describe(request) + " was acquired; the lock is not held.",
                    null);
        }
    }

    @Override
    public ThreadLock lock(LockRequest request) {
        grants.checkByHand(request);
        return new UnlockedThreadLock(request, grants, threadHolds);
    }

    @Override
    public LeaderElection elect(String name, LeaderListener listener) {
        Objects.requireNonNull(listener, "listener");
        grants.check(LockRequest.of(name).namespace(LeaderElection.NAMESPACE));
        UnlockedElection election = new UnlockedElection(name, listener, grants::nextToken, callbacks);
        elections.add(election);
        election.ended().thenRun(() -> elections.remove(election));
        election.start();
        return election;
    }

    @Override
    public LockAdmin admin() {
        return admin;
    }

    @Override
    public void close() {
        grants.refuse();
        CompletableFuture<?>[] resignations = elections.stream()
                .map(election -> {
                    CompletableFuture<Void> ended = election.closeAsync();
                    // If a callback of this election closes the registry, waiting for the election would be waiting for
                    // the callback itself.
                    return election.isInCallback() ? CompletableFuture.completedFuture(null) : ended;
                })
                .toArray(CompletableFuture<?>[]::new);
        try {
            CompletableFuture.allOf(resignations)
                    .orTimeout(LONGEST_RESIGNATION.toSeconds(), TimeUnit.SECONDS)
                    .join();
        } catch (CompletionException tooSlow) {
            LOG.warn("The leaders of elections did not resign within {}", LONGEST_RESIGNATION);
        }
        grants.loseAll();
    }

    @Override
    public String toString() {
        return "UnlockedRegistry";
    }
}
