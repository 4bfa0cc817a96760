package io.dynamolock.internal.protocol;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Whom a waiting process watches, when it takes another for dead, and what it takes out of a queue then.
 *
 * @param lease how long a session lives without a heartbeat
 * @param lockDelay how much longer a silent session is left alone
 * @param maxClockSkew how far wall clocks may be apart; zero switches off expiry by wall clock
 */
public record FailureDetection(Duration lease, Duration lockDelay, Duration maxClockSkew) {

    /** Who waits next begins to watch when the same entry has been first for one part in so many of a lease. */
    private static final int NEXT = 80;

    /** Those further back begin later: short holds come and go, and no session need be read for them. */
    private static final int FURTHER = 8;

    /**
     * Whom to watch. The nearest of those who wait ahead is enough: if it lives, it watches the others itself. If it is silent
     * or dead, many may have died together, and all are watched so that all are found dead within a lease. Holders watch nobody, so that
     * the first who waits watches all of them. The nearest may also live and not know that it stands there: so if nothing moves for a
     * lease, the holders are watched, too.
     *
     * @param ahead the entries of others before one's own, or the whole queue for a process that is outside of it
     * @param holders how many entries hold the lock, from the front
     * @param sameFirst how long the entry that is first has been seen there
     * @param isDead whether a session is known to be dead
     * @param isQuiet whether a session has missed a heartbeat
     */
    public List<SessionId> toWatch(
            List<Entry> ahead,
            int holders,
            Duration sameFirst,
            Predicate<SessionId> isDead,
            Predicate<SessionId> isQuiet) {
        List<SessionId> all = living(ahead.stream(), isDead);
        List<SessionId> waiting = living(ahead.stream().skip(holders), isDead);
        if (sameFirst.compareTo(lease.dividedBy(waiting.isEmpty() ? NEXT : FURTHER)) < 0) {
            return List.of();
        }
        SessionId nearest = waiting.isEmpty() ? null : waiting.get(waiting.size() - 1);
        if (nearest == null || !nearest.equals(ahead.get(ahead.size() - 1).session()) || isQuiet.test(nearest)) {
            return all;
        }
        if (sameFirst.compareTo(lease) < 0) {
            return List.of(nearest);
        }
        List<SessionId> holding = living(ahead.stream().limit(holders), isDead);
        return holding.isEmpty() || holding.stream().anyMatch(isQuiet)
                ? all
                : Stream.concat(holding.stream(), Stream.of(nearest)).distinct().toList();
    }

    /** Whose these entries are, the dead left out; each once. */
    public static List<SessionId> living(Stream<Entry> entries, Predicate<SessionId> isDead) {
        return entries.map(Entry::session)
                .filter(Objects::nonNull)
                .distinct()
                .filter(isDead.negate())
                .toList();
    }

    /**
     * Which entries ahead are to be taken out, because nobody will ever release them. The process that has no living waiter ahead
     * of it sees to it; if it does not within a lease, because it does not know that it stands there, every process does.
     *
     * @param ahead the entries before one's own, or the whole queue
     * @param holders how many entries hold the lock, from the front
     * @param sameFirst how long the entry that is first has been seen there
     * @param isOver whether an entry is a dead session's, or a kept one whose end has passed
     * @return by their places, not more than one edit takes out
     */
    public NavigableMap<Integer, Entry> toTakeOut(
            List<Entry> ahead, int holders, Duration sameFirst, Predicate<Entry> isOver) {
        NavigableMap<Integer, Entry> over = new TreeMap<>();
        boolean othersWait = false;
        for (int i = 0; i < ahead.size() && over.size() < Edit.MOST_REMOVED; i++) {
            if (isOver.test(ahead.get(i))) {
                over.put(i, ahead.get(i));
            } else {
                othersWait |= i >= holders;
            }
        }
        return !othersWait || sameFirst.compareTo(lease) >= 0 ? over : new TreeMap<>();
    }

    /**
     * How much longer a session must show the same heartbeat before it may be expired; zero if it may be.
     *
     * @param same how long it has, by one's own monotonic clock from the arrival of the first answer that showed it
     */
    public Duration untilExpiry(SessionItem session, Duration same) {
        Duration left = session.lease().plus(lockDelay).minus(same);
        return left.isNegative() ? Duration.ZERO : left;
    }

    /**
     * Whether a session's last heartbeat lies so far back by the wall clock that it may be expired at once.
     *
     * @param now one's own wall clock, but never ahead of the store's
     */
    public boolean isLongSilent(SessionItem session, Instant now) {
        Duration least = session.lease().plus(lockDelay).plus(maxClockSkew);
        return !maxClockSkew.isZero() && session.heartbeatAt().plus(least).isBefore(now);
    }
}
