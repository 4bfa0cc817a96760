package io.dynamolock;

import io.dynamolock.data.LockData;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What the table says of one lock at one moment. It may be out of date when it arrives, so use it for people and
 * dashboards, not for decisions. Immutable.
 *
 * <p>An id names an entry of the lock's queue, for {@link LockAdmin#evict}, and says nothing about the lock or its key.
 * An entry gets a new id when its process replaces it for the same holder, for example to write data.
 *
 * <p>A process with several consecutive entries passes the lock along these entries in one turn. An entry whose callers
 * have all released may stay for a while, and is still shown as a holder. If a lock is held for more than two seconds,
 * such entries are removed, and the snapshot shows the real holder.
 *
 * @param key what is locked
 * @param namespace the lock's namespace
 * @param holder the first entry that holds the lock; empty if no entry does
 * @param queue the waiting entries, in the order of their turns. An entry waits until it holds the lock, its process
 *     removes it because no caller wants it any more, or another process finds its process dead
 * @param beside the other entries that hold the lock, as readers or by permits
 * @param data what the present or the last holder has written
 */
public record LockSnapshot(
        String key, String namespace, Optional<Holder> holder, List<Waiter> queue, List<Holder> beside, LockData data) {

    public LockSnapshot {
        queue = List.copyOf(queue);
        beside = List.copyOf(beside);
    }

    /**
     * An entry that holds the lock.
     *
     * @param id the id of the entry
     * @param owner the {@linkplain LockRegistryBuilder#owner(String) name} of the process; {@code unknown} if its
     *     session has ended, so that the lock passes on, or if the process is behind a hundred others; {@code
     *     unreadable} if the item of its session cannot be read, so that the lock does not pass on. If the process has
     *     stopped and the lock is only {@linkplain LockRequest#holdAtLeast kept}, the text begins with {@code nobody}
     * @param leastToken the least fencing token that a holder by this entry can have. Exact if the entry belongs to the
     *     process that takes the snapshot, and a caller holds the lock by it. Otherwise 1, because the table does not
     *     show it: a holder keeps the token of its grant, while the tokens that the table shows for its entry rise
     * @param greatestToken the greatest fencing token that a holder by this entry can have. Exact under the same
     *     condition; otherwise it also counts slots that no caller has used yet
     * @param lastHeartbeat the last heartbeat of the process, by its own wall clock; empty if the owner is unknown,
     *     unreadable or nobody
     */
    public record Holder(
            String id, String owner, long leastToken, long greatestToken, Optional<Instant> lastHeartbeat) {}

    /**
     * A waiting entry, for one or more callers of one process.
     *
     * @param id the id of the entry
     * @param position the position of its first caller, counted in callers, from 1
     * @param callers how many callers the entry can serve, including callers that have given up since, and callers
     *     that may yet come
     * @param owner the {@linkplain LockRegistryBuilder#owner(String) name} of their process; {@code unknown} if its
     *     session has ended or the process is behind a hundred others; {@code unreadable} if the item of its session
     *     cannot be read
     * @param firstToken the fencing token that the entry's first caller would have now; it may rise until its turn
     * @param lastToken the fencing token that the entry's last caller would have now; it may rise until its turn
     * @param lastHeartbeat the last heartbeat of their process, by its own wall clock; empty if the owner is unknown or
     *     unreadable
     */
    public record Waiter(
            String id,
            long position,
            long callers,
            String owner,
            long firstToken,
            long lastToken,
            Optional<Instant> lastHeartbeat) {}
}
