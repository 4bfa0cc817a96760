package io.dynamolock.internal.protocol;

import io.dynamolock.internal.time.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides which sessions a waiting process watches, when it may declare a session dead, and which entries it takes out
 * of a queue then.
 *
 * <p><b>Who removes a dead process's entry.</b> Only processes that wait for the lock do it; while nobody wants the
 * lock, the entry stays. It takes three steps:
 *
 * <ol>
 *   <li>A waiting process watches sessions ahead of it ({@link #toWatch}): the engine's {@code Peers} reads them again
 *       and again.
 *   <li>If a watched session has been silent for too long ({@link #untilExpiry}, {@link #isLongSilent}), {@code Peers}
 *       expires it: it deletes the session's item, and with that the session is dead for every process.
 *   <li>The first living waiter sends an edit that takes the dead session's entries out of this queue. Once the front
 *       has not changed for a lease, every process that waits behind them does so ({@link #toTakeOut}).
 * </ol>
 *
 * <p>"The front" is the first entry of a queue. "The first waiter" is the process whose entry is ahead of the entries
 * of all other living processes that do not hold the lock.
 *
 * @param lease how long a session lives without a heartbeat
 * @param lockDelay how long a session is left alone after its lease has run out, if that is more than the least delay,
 *     a twelfth of the session's lease
 */
public record FailureDetection(Duration lease, Duration lockDelay) {

    /** The first waiter begins to watch when the front has not changed for the lease divided by this number. */
    private static final int FIRST_WAITER_PART_OF_LEASE = 80;

    /**
     * Any other waiter begins to watch when the front has not changed for the lease divided by this number. That is
     * later, so that no sessions are read while short holds follow each other.
     */
    private static final int OTHER_WAITER_PART_OF_LEASE = 8;

    /**
     * The sessions to watch. They form a chain:
     *
     * <ul>
     *   <li>A process watches the nearest waiter ahead of it. If that waiter lives, it watches the others itself.
     *   <li>If the nearest waiter is silent or dead, many processes may have died together. Then all sessions ahead are
     *       watched, so that all the dead are found within one lease.
     *   <li>Holders watch nobody. So the first waiter watches all holders.
     *   <li>The nearest waiter may live and not know that its entry is in the queue. So once the front has not changed
     *       for a lease, the holders are watched as well.
     * </ul>
     *
     * @param ahead the entries before this process's first own entry, or the whole queue if it has no entry. If this
     *     process holds the lock beside others and has waiters: the entries before its first waiting entry; own
     *     entries may be among them
     * @param holders number of entries that hold the lock, from the front
     * @param frontUnchangedFor how long this process has seen the same entry at the front
     * @param isDead whether a session is known to be dead
     * @param isQuiet whether a session has missed a heartbeat
     */
    public List<SessionId> toWatch(
            List<Entry> ahead,
            int holders,
            Duration frontUnchangedFor,
            Predicate<SessionId> isDead,
            Predicate<SessionId> isQuiet) {
        List<SessionId> living = living(ahead.stream(), isDead);
        List<SessionId> waiting = living(ahead.stream().skip(holders), isDead);
        if (frontUnchangedFor.compareTo(
                        lease.dividedBy(waiting.isEmpty() ? FIRST_WAITER_PART_OF_LEASE : OTHER_WAITER_PART_OF_LEASE))
                < 0) {
            return List.of();
        }
        SessionId nearest = waiting.isEmpty() ? null : waiting.get(waiting.size() - 1);
        if (nearest == null || !nearest.equals(ahead.get(ahead.size() - 1).session()) || isQuiet.test(nearest)) {
            return living;
        }
        if (frontUnchangedFor.compareTo(lease) < 0) {
            return List.of(nearest);
        }
        List<SessionId> holding = living(ahead.stream().limit(holders), isDead);
        if (holding.isEmpty() || holding.stream().anyMatch(isQuiet)) {
            return living;
        }
        return Stream.concat(holding.stream(), Stream.of(nearest)).distinct().toList();
    }

    /** The sessions that own these entries, without the dead ones; each session once. */
    public static List<SessionId> living(Stream<Entry> entries, Predicate<SessionId> isDead) {
        return entries.map(Entry::session)
                .filter(Objects::nonNull)
                .distinct()
                .filter(isDead.negate())
                .toList();
    }

    /**
     * The entries ahead that this process takes out because nobody will ever release them. That is the task of the
     * first living waiter. But that waiter may not know that its entry is in the queue. So once the front has not
     * changed for a lease, every process takes them out.
     *
     * @param ahead as in {@link #toWatch}
     * @param holders number of entries that hold the lock, from the front
     * @param frontUnchangedFor how long this process has seen the same entry at the front
     * @param isOver whether an entry belongs to a dead session, or is a kept entry whose time has passed
     * @return the entries by their places, at most {@link Edit#MOST_REMOVED} of them
     */
    public NavigableMap<Integer, Entry> toTakeOut(
            List<Entry> ahead, int holders, Duration frontUnchangedFor, Predicate<Entry> isOver) {
        NavigableMap<Integer, Entry> over = new TreeMap<>();
        boolean isWaiterAhead = false;
        for (int i = 0; i < ahead.size() && over.size() < Edit.MOST_REMOVED; i++) {
            if (isOver.test(ahead.get(i))) {
                over.put(i, ahead.get(i));
            } else if (i >= holders) {
                isWaiterAhead = true;
            }
        }
        boolean isOwnTask = !isWaiterAhead || frontUnchangedFor.compareTo(lease) >= 0;
        return isOwnTask ? over : new TreeMap<>();
    }

    /**
     * How much longer a session must show the same heartbeat before it may be expired; zero if it may be expired now.
     *
     * @param heartbeatAge how long the session has shown the same heartbeat, by this process's monotonic clock, counted
     *     from the arrival of the first answer that showed it
     */
    public Duration untilExpiry(SessionItem session, Duration heartbeatAge) {
        return Durations.notNegative(silence(session).minus(heartbeatAge));
    }

    /**
     * Whether a session's last heartbeat is so old that the session may be expired at once. Two witnesses must agree
     * that the time is over, the store's clock and this machine's wall clock, since one of them may be wrong. The
     * owner, for the same reason, writes the later of both.
     *
     * @param storeTime the time that the answer which shows this session has told; {@code null} if it told none
     * @param wall this machine's wall clock
     */
    public boolean isLongSilent(SessionItem session, @Nullable Instant storeTime, Instant wall) {
        Instant heartbeatAt = session.heartbeatAt();
        if (heartbeatAt == null || storeTime == null) {
            return false;
        }
        Instant end = heartbeatAt.plus(silence(session)).plus(Clocks.BOUND);
        return end.isBefore(storeTime) && end.isBefore(wall);
    }

    /** How long a session may be silent before others expire it. */
    private Duration silence(SessionItem session) {
        Duration least = session.lease().dividedBy(Clocks.SLEW);
        return session.lease().plus(Durations.longer(lockDelay, least));
    }
}
