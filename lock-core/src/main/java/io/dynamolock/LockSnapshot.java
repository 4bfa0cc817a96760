package io.dynamolock;

import io.dynamolock.data.LockData;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What the table says of one lock at one moment. It is out of date when it arrives: good for people and dashboards, not
 * for decisions. Immutable.
 *
 * <p>An id names an entry of the lock's queue, for {@link LockAdmin#evict}, and says nothing about the lock or its key. An
 * entry gets a new id when it is reissued for the same holder, for instance to write data.
 *
 * <p>A process with several entries one behind another passes the lock along them in one turn. Until the first is taken out
 * it is shown as the holder and the others as waiting, also when a caller has the lock by one of these already.
 *
 * @param key what is locked
 * @param namespace the lock's namespace
 * @param holder the process that holds the lock, or the first of those who do; empty if none does
 * @param queue the entries that wait, in the order of their turns; an entry stays until it comes to hold the lock, or its
 *     process takes it out because nobody wants it any more, or another process finds its process dead
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
     * @param owner the {@linkplain LockRegistryBuilder#owner(String) name} of the process, {@code unknown} if its
     *     session has ended, so that the lock passes on, or if it stands behind a hundred other processes; {@code unreadable}
     *     if the item of its session is not as the locks write it, so that the lock does not pass on. If a process has stopped
     *     and the lock is only {@linkplain LockRequest#holdAtLeast kept}, this begins with {@code nobody}
     * @param fencingToken the greatest fencing token that a caller can have by this entry
     * @param lastHeartbeat the last heartbeat of the process, by its own wall clock; empty where the owner is unknown,
     *     unreadable or nobody
     */
    public record Holder(String id, String owner, long fencingToken, Optional<Instant> lastHeartbeat) {}

    /**
     * An entry that waits, for one or more callers of one process.
     *
     * @param id the id of the entry
     * @param position the position of its first caller, counted in callers, from 1
     * @param callers how many callers it can serve, including those who have given up since
     * @param owner the {@linkplain LockRegistryBuilder#owner(String) name} of their process, {@code unknown} if its
     *     session has ended or it stands behind a hundred other processes, {@code unreadable} if the item of its session
     *     is not as the locks write it
     * @param firstToken the fencing token of its first caller, as it would be now; it may rise until its turn
     * @param lastToken that of its last caller, likewise
     * @param lastHeartbeat the last heartbeat of their process, by its own wall clock; empty where the owner is unknown or
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
