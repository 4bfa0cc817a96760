package io.dynamolock.protocol;

import io.dynamolock.internal.protocol.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Whom a waiting process watches, and when it takes another for dead.
 *
 * @param lease how long a session lives without a beat
 * @param lockDelay how much longer a silent session is left alone
 * @param maxClockSkew how far wall clocks may be apart; zero switches off burying by wall clock
 */
public record Vigil(Duration lease, Duration lockDelay, Duration maxClockSkew) {

    /** The next in line begins to watch when the same block has been first for one part in so many of a lease. */
    private static final int NEXT = 80;

    /** Those further back begin later: short holds come and go, and no session need be read for them. */
    private static final int FURTHER = 8;

    /**
     * Whom to watch of those ahead. The nearest who may live is enough: if it lives, it watches the others itself.
     * If it is silent, many may have died together, and all must be watched so that all are found dead within a lease.
     * It may also live and not know that it stands there: so if nothing moves for a lease, the first is watched, too.
     *
     * @param ahead the blocks of others before one's own, or the whole queue for a process that found it full
     * @param sameFirst how long the block that is first has been seen there
     * @param isDead whether a session is known to be dead
     * @param isQuiet whether a session has missed a beat
     */
    public List<SessionId> toWatch(
            List<Entry> ahead, Duration sameFirst, Predicate<SessionId> isDead, Predicate<SessionId> isQuiet) {
        return toWatch(ahead, 1, sameFirst, isDead, isQuiet);
    }

    /**
     * As above, if several hold the lock together: a holder watches nobody, so all of them are watched by the first that
     * waits, and after a lease by everybody.
     *
     * @param holders how many of those ahead hold the lock, from the front
     */
    public List<SessionId> toWatch(
            List<Entry> ahead,
            int holders,
            Duration sameFirst,
            Predicate<SessionId> isDead,
            Predicate<SessionId> isQuiet) {
        if (holders > 1) {
            return toWatchBehindMany(ahead, holders, sameFirst, isDead, isQuiet);
        }
        List<SessionId> living = living(ahead, isDead);
        if (living.isEmpty() || sameFirst.compareTo(lease.dividedBy(living.size() == 1 ? NEXT : FURTHER)) < 0) {
            return List.of();
        }
        SessionId nearest = living.get(living.size() - 1);
        if (isQuiet.test(nearest)) {
            return living;
        }
        SessionId first = ahead.get(0).session();
        if (sameFirst.compareTo(lease) < 0 || first.equals(nearest)) {
            return List.of(nearest);
        }
        return isDead.test(first) || isQuiet.test(first) ? living : List.of(first, nearest);
    }

    private List<SessionId> toWatchBehindMany(
            List<Entry> ahead,
            int holders,
            Duration sameFirst,
            Predicate<SessionId> isDead,
            Predicate<SessionId> isQuiet) {
        List<SessionId> living = living(ahead, isDead);
        List<SessionId> waiting = living(ahead.subList(holders, ahead.size()), isDead);
        if (living.isEmpty() || sameFirst.compareTo(lease.dividedBy(waiting.isEmpty() ? NEXT : FURTHER)) < 0) {
            return List.of();
        }
        if (waiting.isEmpty() || isQuiet.test(waiting.get(waiting.size() - 1))) {
            return living;
        }
        SessionId nearest = waiting.get(waiting.size() - 1);
        if (sameFirst.compareTo(lease) < 0) {
            return List.of(nearest);
        }
        List<SessionId> holding = living(ahead.subList(0, holders), isDead);
        return holding.stream().anyMatch(isQuiet)
                ? living
                : Stream.concat(holding.stream(), Stream.of(nearest)).distinct().toList();
    }

    private static List<SessionId> living(List<Entry> entries, Predicate<SessionId> isDead) {
        return entries.stream()
                .map(Entry::session)
                .distinct()
                .filter(isDead.negate())
                .toList();
    }

    /**
     * Which blocks at the front are to be cleared away, because nobody will ever release them. The first living
     * process behind them sees to it; if it does not within a lease, because it does not know that it stands there,
     * every process does.
     *
     * @param ahead the blocks before one's own, or the whole queue
     * @param sameFirst how long the block that is first has been seen there
     * @param isAbandoned whether nobody will ever ask for the lock by an entry
     * @return by their places
     */
    public NavigableMap<Integer, Entry> toClear(List<Entry> ahead, Duration sameFirst, Predicate<Entry> isAbandoned) {
        int abandoned = (int)
                ahead.stream().takeWhile(isAbandoned).limit(Step.Leave.MOST).count();
        boolean isFirstToLive = abandoned == Math.min(ahead.size(), Step.Leave.MOST);
        return front(ahead, isFirstToLive || sameFirst.compareTo(lease) >= 0 ? abandoned : 0);
    }

    /** The first so many by their places, but not more than one step may take out. */
    public static NavigableMap<Integer, Entry> front(List<Entry> queue, int count) {
        NavigableMap<Integer, Entry> front = new TreeMap<>();
        for (int i = 0; i < Math.min(count, Step.Leave.MOST); i++) {
            front.put(i, queue.get(i));
        }
        return front;
    }

    /**
     * As {@link #toClear(List, Duration, Predicate)}, for a block that may hold the lock beside others: what is ahead of it
     * among the living may be in its way as well. The first living process that waits behind it sees to it.
     *
     * @param holders how many blocks at the front hold the lock
     */
    public NavigableMap<Integer, Entry> toClearAmong(
            List<Entry> ahead, int holders, Duration sameFirst, Predicate<Entry> isAbandoned) {
        NavigableMap<Integer, Entry> abandoned = new TreeMap<>();
        boolean isFirstToLive = true;
        for (int i = 0; i < ahead.size(); i++) {
            if (!isAbandoned.test(ahead.get(i))) {
                isFirstToLive &= i < holders;
            } else if (abandoned.size() < Step.Leave.MOST) {
                abandoned.put(i, ahead.get(i));
            }
        }
        return isFirstToLive || sameFirst.compareTo(lease) >= 0 ? abandoned : new TreeMap<>();
    }

    /**
     * Whether a session that has shown the same beat for so long may be buried.
     *
     * @param sameBeat counted by one's own monotonic clock from the arrival of the first answer that showed it
     */
    public boolean isSilent(SessionItem session, Duration sameBeat) {
        return left(session, sameBeat).isZero();
    }

    /** How much longer the same beat must be seen. */
    public Duration left(SessionItem session, Duration sameBeat) {
        Duration left = session.lease().plus(lockDelay).minus(sameBeat);
        return left.isNegative() ? Duration.ZERO : left;
    }

    /**
     * Whether a session's last beat lies so far back by the wall clock that it may be buried at once. One that only
     * keeps a lock says itself until when.
     *
     * @param now one's own wall clock, but never ahead of the store's
     */
    public boolean isLongSilent(SessionItem session, Instant now) {
        Instant over = session.keptUntil();
        if (over == null) {
            over = session.beatAt().plus(session.lease()).plus(lockDelay).plus(maxClockSkew);
        }
        return !maxClockSkew.isZero() && over.isBefore(now);
    }
}
