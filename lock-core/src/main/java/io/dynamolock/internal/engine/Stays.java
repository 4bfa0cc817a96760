package io.dynamolock.internal.engine;

import io.dynamolock.internal.time.Durations;
import io.dynamolock.internal.time.Moment;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Whether the entry of a released lock stays in the queue for a moment, so that a caller of this process that comes
 * back has the lock without a call. Such an entry has spare slots from its append on. Lives on the event loop.
 *
 * <p><b>The rules.</b> Each keeps other callers from being harmed:
 *
 * <ol>
 *   <li>A spare slot serves only callers that have come within {@link OwnEntry#SPARE_WINDOW} of the sending of its
 *       append, and while nobody waited here. Otherwise callers that come during a long hold would pass callers of
 *       other processes that queued before they came, or a reader here that came before them.
 *   <li>If nobody waited here when the lock was left, the edit that takes the entry out appends nothing, though a
 *       caller may have come back since. Otherwise callers of other processes that do not wait might never find the
 *       lock free. If others queue, or a caller here waits only for a moment, the edit does append.
 *   <li>No entry stays if others were seen, until a pause has passed: 1 s, and twice as long each time others are seen
 *       soon after a pause, up to a minute. Others were seen if an answer shows an entry that is not of this process's
 *       session, or a tail that own edits do not explain, or if an own edit has had no answer. An entry gets spare
 *       slots only if callers came back lately as a rule. So the entry of a new lock never stays.
 *   <li>A stay ends at once if a caller comes whom the entry cannot serve, if another process sends a notice, and when
 *       the engine closes. An entry does not stay after a release that is awaited, leaves data, or follows a shortest
 *       hold, a fence or a downgrade.
 *   <li>The release is done when the stay begins. A grant by the entry is like every other: it needs a valid session,
 *       and there is none any more once the removal of the entry was sent.
 *   <li>An entry with spare slots has at most {@link #MOST_SLOTS}: tickets must not outrun the clock that the tail of a
 *       recreated item starts from.
 * </ol>
 *
 * <p>Not final, because tests that break a rule on purpose replace its methods.
 */
class Stays {

    /** Maximum number of slots of an entry with spare slots. */
    static final int MOST_SLOTS = 128;

    /** An entry that may stay has at least this many spare slots. */
    private static final int LEAST_SPARE = 4;

    /** From this score on, callers come back as a rule. */
    private static final int AS_A_RULE = 2;

    private static final int BEST_SCORE = 4;

    /** How much a caller that did not come back in time lowers the score. */
    private static final int MISSED = 2;

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    /**
     * What is known about a lock's callers; remembered while nobody here wants the lock.
     *
     * @param score how many callers came back in time lately: each adds one, up to {@link #BEST_SCORE}; each caller
     *     that did not takes {@link #MISSED} away
     * @param served how many callers came back since the last append
     * @param left when the lock was last left with nobody waiting; {@code null} if a caller has come since
     * @param tail the greatest tail that an answer has shown; 0 if none has shown an item
     * @param others when others were seen last; {@code null} if none were
     */
    record History(
            int score,
            int served,
            @Nullable Left left,
            long tail,
            @Nullable Others others) {

        static final History NOTHING = new History(0, 0, null, 0, null);

        /** Whether a caller may come back, has come back or others were seen; not if callers only await releases. */
        boolean isWorthRemembering() {
            return score > 0 || left != null || others != null;
        }
    }

    /**
     * A release after which nobody had the lock or waited for it.
     *
     * @param stay for how long the caller's entry was allowed to stay
     */
    record Left(Moment at, Duration stay) {}

    /**
     * Others want the lock.
     *
     * @param seenAt when they were seen last
     * @param pause for how long no entry stays after that
     */
    record Others(Moment seenAt, Duration pause) {

        boolean isPauseOver(Moment now) {
            return now.since(seenAt).compareTo(pause) >= 0;
        }

        /** Whether the pause has been over for as long again, so that a later pause begins small. */
        boolean areLongGone(Moment now) {
            return now.since(seenAt).compareTo(pause.multipliedBy(2)) >= 0;
        }
    }

    /** An entry that stays, and the caller that has left it. */
    private record Stay(OwnEntry entry, Moment begunAt, Moment until, AcquireSpec leftBy) {}

    /** See {@link History#score}. */
    private int score;

    /** See {@link History#served}. */
    private int served;

    /** See {@link History#left}. */
    private @Nullable Left left;

    /**
     * Whether the lock was left with nobody waiting, by a caller that does not await its release and so may be back at
     * once, and no caller here has had the lock since.
     */
    private boolean isLeftFree;

    /** See {@link History#tail}. Never falls. */
    private long tail;

    /** See {@link History#others}. */
    private @Nullable Others others;

    /** The present stay; {@code null} if no entry stays. */
    private @Nullable Stay stay;

    /** The entry that has stayed last; {@code null} if none has. */
    private @Nullable OwnEntry stayedLast;

    /** How long the stays of {@link #stayedLast} that are over have lasted together. */
    private Duration stayed = Duration.ZERO;

    /**
     * The caller that has left the entry whose stay was over in vain, until an answer shows whether others waited;
     * {@code null} if there is none.
     */
    private @Nullable AcquireSpec leftInVain;

    /** Whether the engine closes, so that nobody comes back. Set once. */
    private boolean isClosed;

    Stays(History before) {
        score = before.score();
        served = before.served();
        left = before.left();
        tail = before.tail();
        others = before.others();
    }

    /** What to remember while nobody here wants the lock. */
    History history() {
        return new History(score, served, left, tail, others);
    }

    // What has happened

    /** A caller has come. Callers whom a staying entry cannot serve count neither as returning nor as missing. */
    void arrived(Kind kind, Moment now) {
        if (left != null && kind != Kind.EXCLUSIVE) {
            left = null;
        } else if (left != null) {
            boolean isInTime = now.since(left.at()).compareTo(left.stay()) <= 0;
            score = isInTime ? Math.min(BEST_SCORE, score + 1) : Math.max(0, score - MISSED);
            served += isInTime ? 1 : 0;
            left = null;
        }
    }

    /**
     * A caller has released the lock, and now nobody has it or waits for it.
     *
     * @param terms for how long the entry may stay, as far as the caller is concerned
     */
    void left(ReleaseTerms terms, Moment now) {
        left = terms.stay().isZero() ? null : new Left(now, terms.stay());
        isLeftFree = !terms.isAwaited();
    }

    /** A caller here has the lock. */
    void granted() {
        isLeftFree = false;
    }

    /** An edit was sent that appends. */
    void appended() {
        served = 0;
    }

    /**
     * An answer has shown the item.
     *
     * @param areOthersInQueue whether an entry in the queue is not of this process's session
     * @param mayBeByOwnEdit whether an own edit is under way, which may have raised the tail
     */
    void shown(long shownTail, boolean areOthersInQueue, boolean mayBeByOwnEdit, Moment now) {
        if (tail != 0 && shownTail > tail && !mayBeByOwnEdit) {
            othersSeen(now);
        }
        tail = Math.max(tail, shownTail);
        if (areOthersInQueue) {
            othersSeen(now);
        }
    }

    /**
     * An own edit was answered. To be told before {@link #shown}.
     *
     * @param tickets by how much the edit has raised the tail; 0 if it was refused
     */
    void edited(long tailAfter, int tickets, Moment now) {
        if (tail != 0 && tailAfter != tail + tickets) {
            othersSeen(now);
        }
        tail = Math.max(tail, tailAfter);
    }

    /** Others want the lock, or nobody can tell whether they do. */
    void othersSeen(Moment now) {
        if (others == null || others.areLongGone(now)) {
            others = new Others(now, FIRST_PAUSE);
        } else {
            boolean isBack = others.isPauseOver(now);
            Duration pause = isBack ? others.pause().multipliedBy(2) : others.pause();
            others = new Others(now, Durations.shorter(pause, LONGEST_PAUSE));
        }
    }

    /** The engine closes. */
    void close() {
        isClosed = true;
        stay = null;
    }

    // What follows from what has happened

    /** Whether a caller will probably come back, and nobody else is known to want the lock. */
    boolean areExpected(Moment now) {
        return !isClosed && score >= AS_A_RULE && (others == null || others.isPauseOver(now));
    }

    /**
     * How many spare slots an entry gets that is to serve this many waiters: twice as many as callers came back since
     * the last append.
     */
    int spareSlots(int waiters, Moment now) {
        int spare = Math.max(LEAST_SPARE, 2 * served);
        return areExpected(now) ? Math.max(0, Math.min(spare, MOST_SLOTS - waiters)) : 0;
    }

    /**
     * The entry stays if callers are expected and its spare slots can still serve them. All stays of an entry together
     * last no longer than is allowed for one: so callers of other processes wait no longer than that for an idle lock,
     * however often a caller comes back here.
     *
     * @param leftBy the caller that has just released the lock
     * @param allowed for how long the entry may stay, as far as the caller is concerned
     * @return whether the entry stays
     */
    boolean begin(OwnEntry entry, AcquireSpec leftBy, Duration allowed, Moment now) {
        if (stayedLast != entry) {
            stayedLast = entry;
            stayed = Duration.ZERO;
        }
        Moment until =
                Moment.earlier(now.plus(allowed.minus(stayed)), entry.sentAt().plus(OwnEntry.SPARE_WINDOW));
        if (!areExpected(now) || !now.isBefore(until)) {
            return false;
        }
        stay = new Stay(entry, now, until, leftBy);
        return true;
    }

    /**
     * Whether the lock was left with nobody waiting, by a caller that does not await its release and so may be back at
     * once, and no caller here has had the lock since.
     */
    boolean isLeftFree() {
        return isLeftFree;
    }

    /** Until when this entry stays; not later than {@code now} if it does not stay. */
    Moment until(OwnEntry entry, Moment now) {
        return stay != null && stay.entry() == entry ? stay.until() : now;
    }

    /**
     * The stay is over, because a caller came back or somebody else wants the lock.
     *
     * @return the caller that had left the entry; {@code null} if no entry stayed
     */
    @Nullable
    AcquireSpec end(Moment now) {
        if (stay == null) {
            return null;
        }
        AcquireSpec leftBy = stay.leftBy();
        stayed = stayed.plus(now.since(stay.begunAt()));
        stay = null;
        return leftBy;
    }

    /** Ends the stay if its time is over. The answer to the removal tells what has come of the stay. */
    void endIfOver(Moment now) {
        if (stay != null && !now.isBefore(stay.until())) {
            leftInVain = stay.leftBy();
            stay = null;
        }
    }

    /** The caller that had left an entry whose stay was over in vain; {@code null} if there is none. Forgets it. */
    @Nullable
    AcquireSpec takeLeftInVain() {
        AcquireSpec leftBy = leftInVain;
        leftInVain = null;
        return leftBy;
    }

    /** The entry is gone. */
    void forget(OwnEntry entry) {
        if (stayedLast == entry) {
            stayedLast = null;
        }
        if (stay != null && stay.entry() == entry) {
            stay = null;
        }
    }
}
