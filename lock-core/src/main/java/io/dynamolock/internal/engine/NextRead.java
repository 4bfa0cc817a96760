package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.PollingInterval;
import io.dynamolock.internal.time.Deadline;
import io.dynamolock.internal.time.Moment;
import java.time.Duration;
import java.util.Optional;

/**
 * Says when a lock is to be read next. Nothing else in the engine decides on a read. Changes nothing. Lives on the
 * event loop.
 *
 * <p>A read is due
 *
 * <ul>
 *   <li>while a caller waits behind entries of others, as often as {@link PollingInterval} says; but not in the
 *       process's own turn, unless its waiters could hold the lock beside the present holders. If only own entries are
 *       ahead, at the longest interval
 *   <li>to look for an edit that had no answer: at once when it has failed, and while it is silent ({@link
 *       Calls#lookDue}, {@link Calls#lookDueInSilence}); and once more when it can surely not land any more
 *   <li>about a lease after an append that had no answer, since it may have landed later than a call should
 *   <li>to look for orphans when a notice asks for that
 *   <li>to answer callers that do not wait, if no edit is sent for them
 *   <li>once a lease while this process leads an election.
 * </ul>
 *
 * <p>A read is consistent if it must not miss a write that was answered before, and once a second while a caller waits:
 * a cache or a replica that lags may show old states for long.
 *
 * <p>A read does not wait for an edit that is silent for longer than the polling interval and {@link
 * #USUAL_TIME_OF_EDIT}, nor for the end of a pause after an edit has failed: edits and reads fail apart ({@link
 * Calls}).
 *
 * <p><b>When a process stops looking at a lock.</b> When none of these reasons is left, the process reads the lock no
 * more: a process that holds the lock, and has no waiters that could hold it too, does not read it. Even if a read is
 * due, {@link LockState} sends none while another read is under way, in the pause after a read has failed, without a
 * session, and when the engine closes and no own entry is left. Sessions of other processes are watched only while a
 * caller waits here ({@link NextWatch}). When nobody here wants or holds the lock, no own entry is left, no edit is
 * awaited, no read is under way and no look is due a lease later, the engine forgets the lock ({@link
 * LockState#isIdle}), except for the front of its queue.
 */
final class NextRead {

    /** While a caller waits, this much time passes at most between two consistent calls. */
    private static final Duration MOST_BETWEEN_CONSISTENT = Duration.ofSeconds(1);

    /**
     * While an edit is under way, no poll is sent before this time has passed, unless a wait is about to end: the
     * answer to the edit probably comes first, and shows the item as well.
     */
    private static final Duration USUAL_TIME_OF_EDIT = Duration.ofMillis(10);

    private final LockKey key;
    private final EngineSettings settings;
    private final KnownItem known;
    private final OwnEntries own;
    private final WaitingLine line;
    private final Holds holds;
    private final Calls calls;
    private final PlaceInQueue place;

    NextRead(
            LockKey key,
            EngineSettings settings,
            KnownItem known,
            OwnEntries own,
            WaitingLine line,
            Holds holds,
            Calls calls,
            PlaceInQueue place) {
        this.key = key;
        this.settings = settings;
        this.known = known;
        this.own = own;
        this.line = line;
        this.holds = holds;
        this.calls = calls;
        this.place = place;
    }

    /** When the next read is due, as far as is known now. */
    Deadline due(Moment now) {
        Deadline due = Deadline.earlier(afterEdit(otherThanPoll(now)), poll());
        return Deadline.earlier(due, Deadline.earlier(calls.lookDue(), lookInSilence()));
    }

    private Deadline otherThanPoll(Moment now) {
        if (known.isOrphanSuspected() || hasTryWithoutNews()) {
            return Deadline.at(now);
        }
        Deadline due = Deadline.earlier(own.nextAppendSettled(), checkOfLeader(now));
        return Deadline.earlier(due, calls.lookAgainDue());
    }

    /** Not yet while the answer to an edit may be about to come, which shows the item as well. */
    private Deadline afterEdit(Deadline due) {
        Deadline silence = lookInSilence();
        return due.isBefore(silence) && !silence.isNever() ? silence : due;
    }

    /**
     * When the edit under way has been silent for so long that a read looks for it. In particular, where the lock is
     * free nothing else would show that its answer is lost.
     */
    private Deadline lookInSilence() {
        return calls.lookDueInSilence(known.latestAnswerSentAt());
    }

    /** Whether a read that is sent now must be consistent, so that it shows every write that was answered before. */
    boolean mustBeConsistent(Moment now) {
        boolean looks = !calls.lookDue().isNever()
                || lookInSilence().isPast(now)
                || calls.lookAgainDue().isPast(now)
                || own.isAnyAppendSettled(now);
        return looks
                || known.isDoubtful()
                || !known.item().exists()
                || hasTryWithoutNews()
                || !line.isEmpty() && now.since(known.latestConsistentSentAt()).compareTo(MOST_BETWEEN_CONSISTENT) >= 0;
    }

    /**
     * When a leader reads its lock. A leader must find out that somebody has removed the lock, and perhaps no other
     * call about this lock is ever made.
     */
    private Deadline checkOfLeader(Moment now) {
        if (!key.isOfElection() || holds.isEmpty()) {
            return Deadline.NEVER;
        }
        return Deadline.at(known.isDoubtful() ? now : known.latestAnswerSentAt().plus(settings.lease()));
    }

    private Deadline poll() {
        boolean isLockTaken = known.item().first() != null && (!place.isTurn() || place.isTurnBesideOthers());
        Optional<Duration> shortestWait = isLockTaken ? line.shortestWait() : Optional.empty();
        if (shortestWait.isEmpty()) {
            return Deadline.NEVER;
        }
        // Computed for the time of the last answer: an interval that grew with the time that passes might never end.
        Duration frontUnchangedFor = known.frontUnchangedAtLatestAnswer();
        PollingInterval polling =
                calls.isEditUnderWay() ? settings.polling().noShorterThan(USUAL_TIME_OF_EDIT) : settings.polling();
        // This process knows without a read when its own entries leave. All else that may happen to the item is rare.
        Duration interval = own.areOthersIn(place.ahead())
                ? polling.next(
                        Math.max(1, place.indexOfFirstOwn()),
                        frontUnchangedFor,
                        known.timePerEntry(),
                        shortestWait.get())
                : polling.max();
        return Deadline.at(Moment.later(known.latestAnswerSentAt(), calls.editSentAt(known.latestAnswerSentAt()))
                .plus(interval));
    }

    /**
     * Whether a caller that does not wait has seen no item since it came. It needs a read, because no edit may be sent
     * for it: there is no room in the queue, or an entry stands there that could serve it.
     */
    private boolean hasTryWithoutNews() {
        return known.isSeen() && line.hasUninformedTry();
    }
}
