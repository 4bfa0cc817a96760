package io.dynamolock.store.memory;

import io.dynamolock.store.BeatResult;
import io.dynamolock.store.BlockId;
import io.dynamolock.store.BuryResult;
import io.dynamolock.store.Claimant;
import io.dynamolock.store.Dispute;
import io.dynamolock.store.DisputeResult;
import io.dynamolock.store.Holder;
import io.dynamolock.store.LockKey;
import io.dynamolock.store.LockState;
import io.dynamolock.store.LockStore;
import io.dynamolock.store.QueueView;
import io.dynamolock.store.SessionId;
import io.dynamolock.store.SessionState;
import io.dynamolock.store.WaiterRow;
import io.dynamolock.store.WriteResult;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A lock store in this process's memory, for tests: registries that share one instance exclude each other exactly as
 * they would on one DynamoDB table. Nothing expires in it by itself.
 *
 * <p>Thread-safe. Every call takes effect at one moment, before it returns, and is answered on the calling thread.
 */
public final class InMemoryLockStore implements LockStore {

    private static final int MAX_DISPUTES = 20;

    private final @Nullable InstantSource clock;
    private final Map<LockKey, LockState> locks = new HashMap<>();
    private final Map<LockKey, NavigableMap<Long, WaiterRow>> rows = new HashMap<>();
    private final Map<SessionId, Session> sessions = new HashMap<>();

    /** An empty store that does not tell the time. */
    public InMemoryLockStore() {
        clock = null;
    }

    /** An empty store with a wall clock of its own, as DynamoDB has one. */
    public InMemoryLockStore(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public Optional<Instant> lastAnsweredAt() {
        return Optional.ofNullable(clock).map(InstantSource::instant);
    }

    @Override
    public synchronized CompletionStage<WriteResult> tryAcquire(
            LockKey key, Claimant claimant, int count, Instant now) {
        LockState lock = stateOf(key);
        boolean free = lock.holder() == null && lock.tail() == lock.serving();
        long last = (lock.isAbsent() ? firstNumberBase(now) : lock.tail()) + count;
        return write(key, claimant.block(), free, new LockState(last, last, new Holder(claimant, now)));
    }

    @Override
    public synchronized CompletionStage<LockState> takeNumbers(LockKey key, int count, Instant now) {
        LockState lock = stateOf(key);
        long tail = (lock.isAbsent() ? firstNumberBase(now) : lock.tail()) + count;
        LockState advanced = new LockState(tail, lock.serving(), lock.holder());
        locks.put(key, advanced);
        return answer(advanced);
    }

    @Override
    public synchronized CompletionStage<Void> enter(LockKey key, WaiterRow row) {
        rows.computeIfAbsent(key, absent -> new TreeMap<>()).put(row.first(), row);
        return done();
    }

    @Override
    public synchronized CompletionStage<QueueView> look(LockKey key, int limit) {
        NavigableMap<Long, WaiterRow> queue = queueOf(key);
        List<WaiterRow> front = queue.values().stream().limit(limit).toList();
        return answer(new QueueView(stateOf(key), front, front.size() == queue.size()));
    }

    @Override
    public synchronized CompletionStage<WriteResult> claim(
            LockKey key, Claimant claimant, long last, @Nullable BlockId dead, Instant now) {
        LockState lock = stateOf(key);
        boolean claimable = !lock.isAbsent()
                && lock.serving() < last
                && (lock.holder() == null || lock.holder().block().equals(dead));
        return write(key, claimant.block(), claimable, new LockState(lock.tail(), last, new Holder(claimant, now)));
    }

    @Override
    public synchronized CompletionStage<WriteResult> handOver(
            LockKey key, BlockId from, Claimant claimant, long last, Instant now) {
        LockState lock = stateOf(key);
        Holder holder = lock.holder();
        boolean ours = lock.isHeldBy(from) && lock.serving() < last;
        Instant since = holder != null && from.equals(claimant.block()) ? holder.since() : now;
        return write(key, claimant.block(), ours, new LockState(lock.tail(), last, new Holder(claimant, since)));
    }

    @Override
    public synchronized CompletionStage<WriteResult> extend(LockKey key, BlockId block, int count, Instant now) {
        LockState lock = stateOf(key);
        if (!lock.isHeldBy(block) || lock.tail() != lock.serving()) {
            return answer(new WriteResult.Refused(lock));
        }
        long last = lock.tail() + count;
        return apply(key, new LockState(last, last, lock.holder()));
    }

    @Override
    public synchronized CompletionStage<WriteResult> rename(LockKey key, BlockId from, Claimant claimant, Instant now) {
        LockState lock = stateOf(key);
        Holder holder = lock.holder();
        if (holder == null || !lock.isHeldBy(from)) {
            return refusedUnlessHeldBy(claimant.block(), lock);
        }
        return apply(key, new LockState(lock.tail(), lock.serving(), new Holder(claimant, holder.since())));
    }

    @Override
    public synchronized CompletionStage<WriteResult> release(LockKey key, BlockId block, Instant now) {
        LockState lock = stateOf(key);
        if (!lock.isHeldBy(block)) {
            return answer(new WriteResult.Refused(lock));
        }
        return apply(key, new LockState(lock.tail(), lock.serving(), null));
    }

    @Override
    public synchronized CompletionStage<Void> deleteRow(LockKey key, long first, BlockId block) {
        rows.computeIfPresent(key, (same, queue) -> {
            queue.computeIfPresent(
                    first, (ticket, row) -> row.claimant().block().equals(block) ? null : row);
            return queue.isEmpty() ? null : queue;
        });
        return done();
    }

    @Override
    public synchronized CompletionStage<Void> createSession(SessionId id, Duration lease, String owner, Instant now) {
        sessions.putIfAbsent(id, new Session(new SessionState(id, 0, lease, owner, now), Set.of()));
        return done();
    }

    @Override
    public synchronized CompletionStage<BeatResult> beat(SessionId id, long beat, Set<Dispute> settled, Instant now) {
        Session session = sessions.get(id);
        if (session == null) {
            return answer(new BeatResult.Gone());
        }
        if (session.state().beat() >= beat) {
            return answer(new BeatResult.Alive(session.disputes()));
        }
        Session beaten = session.beaten(beat, settled, now);
        sessions.put(id, beaten);
        return answer(new BeatResult.Alive(beaten.disputes()));
    }

    @Override
    public synchronized CompletionStage<Optional<SessionState>> readSession(SessionId id) {
        return answer(session(id));
    }

    @Override
    public synchronized CompletionStage<BuryResult> bury(SessionId id, long beat) {
        Session session = sessions.get(id);
        if (session != null && session.state().beat() != beat) {
            return answer(BuryResult.ALIVE);
        }
        sessions.remove(id);
        return answer(BuryResult.DEAD);
    }

    @Override
    public synchronized CompletionStage<Void> endSession(SessionId id) {
        sessions.remove(id);
        return done();
    }

    @Override
    public synchronized CompletionStage<DisputeResult> dispute(SessionId holder, Dispute dispute) {
        Session session = sessions.get(holder);
        if (session == null) {
            return answer(DisputeResult.GONE);
        }
        if (session.disputes().size() >= MAX_DISPUTES && !session.disputes().contains(dispute)) {
            return answer(DisputeResult.FULL);
        }
        sessions.put(holder, session.disputed(dispute));
        return answer(DisputeResult.FILED);
    }

    /** The lock's item as it is now; {@link LockState#ABSENT} if there is none. */
    public synchronized LockState lockState(LockKey key) {
        return stateOf(key);
    }

    /** The waiter rows of this lock, ascending by ticket. */
    public synchronized List<WaiterRow> rows(LockKey key) {
        return List.copyOf(queueOf(key).values());
    }

    /** How many waiter rows there are, over all locks. */
    public synchronized int rowCount() {
        return rows.values().stream().mapToInt(Map::size).sum();
    }

    /** The keys that have a lock item. */
    public synchronized Set<LockKey> lockKeys() {
        return Set.copyOf(locks.keySet());
    }

    /** The sessions that are alive. */
    public synchronized Set<SessionId> sessions() {
        return Set.copyOf(sessions.keySet());
    }

    /** A session's item as it is now; empty if the session is dead. */
    public synchronized Optional<SessionState> session(SessionId id) {
        return Optional.ofNullable(sessions.get(id)).map(Session::state);
    }

    /** The disputes that wait for a session's next beat. */
    public synchronized Set<Dispute> disputes(SessionId id) {
        Session session = sessions.get(id);
        return session == null ? Set.of() : session.disputes();
    }

    /** Removes a lock's item as DynamoDB's TTL would, whoever holds the lock; its rows stay. */
    public synchronized void evictLock(LockKey key) {
        locks.remove(key);
    }

    private LockState stateOf(LockKey key) {
        return locks.getOrDefault(key, LockState.ABSENT);
    }

    private NavigableMap<Long, WaiterRow> queueOf(LockKey key) {
        return rows.getOrDefault(key, Collections.emptyNavigableMap());
    }

    private CompletionStage<WriteResult> write(LockKey key, BlockId block, boolean condition, LockState changed) {
        return condition ? apply(key, changed) : refusedUnlessHeldBy(block, stateOf(key));
    }

    private CompletionStage<WriteResult> apply(LockKey key, LockState changed) {
        locks.put(key, changed);
        return answer(new WriteResult.Applied(changed));
    }

    private static CompletionStage<WriteResult> refusedUnlessHeldBy(BlockId block, LockState lock) {
        return answer(lock.isHeldBy(block) ? new WriteResult.Applied(lock) : new WriteResult.Refused(lock));
    }

    private static long firstNumberBase(Instant now) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, now);
    }

    private static <T> CompletionStage<T> answer(T result) {
        return CompletableFuture.completedFuture(result);
    }

    private static CompletionStage<Void> done() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        done.complete(null);
        return done;
    }

    private record Session(SessionState state, Set<Dispute> disputes) {

        private Session {
            disputes = Set.copyOf(disputes);
        }

        Session beaten(long beat, Set<Dispute> settled, Instant now) {
            Set<Dispute> open = new HashSet<>(disputes);
            open.removeAll(settled);
            return new Session(new SessionState(state.id(), beat, state.lease(), state.owner(), now), open);
        }

        Session disputed(Dispute dispute) {
            Set<Dispute> more = new HashSet<>(disputes);
            more.add(dispute);
            return new Session(state, more);
        }
    }
}
