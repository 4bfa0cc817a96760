package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.LockItem;
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
 *       process's own turn, unless its waiters could hold the lock beside the present holders
 *   <li>to find out what became of an append that had no answer
 *   <li>to look for orphans when a notice asks for that
 *   <li>to answer callers that do not wait, if no edit is sent for them
 *   <li>once a lease while this process leads an election.
 * </ul>
 *
 * <p><b>When a process stops looking at a lock.</b> When none of these reasons is left, the process reads the lock no
 * more: a process that holds the lock, and has no waiters that could hold it too, does not read it. Even if a read is
 * due, {@link LockState} sends none while an edit or another read is under way, in the pause after a failure, without a
 * session, and when the engine closes and no own entry is left. Sessions of other processes are watched only while a
 * caller waits here ({@link NextWatch}). When nobody here wants or holds the lock, no own entry is left and no call is
 * under way, the engine forgets the lock ({@link LockState#isIdle}), except for the front of its queue.
 */
final class NextRead {

    private final LockKey key;
    private final EngineSettings settings;
    private final KnownItem known;
    private final OwnEntries own;
    private final WaitingLine line;
    private final Holds holds;
    private final PlaceInQueue place;

    NextRead(
            LockKey key,
            EngineSettings settings,
            KnownItem known,
            OwnEntries own,
            WaitingLine line,
            Holds holds,
            PlaceInQueue place) {
        this.key = key;
        this.settings = settings;
        this.known = known;
        this.own = own;
        this.line = line;
        this.holds = holds;
        this.place = place;
    }

    /** When the next read is due, as far as is known now. */
    Deadline due(Moment now) {
        if (known.isOrphanSuspected() || hasTryWithoutNews()) {
            return Deadline.at(now);
        }
        return Deadline.earlier(Deadline.earlier(own.nextAppendSettled(), checkOfLeader(now)), poll());
    }

    /** Whether a read that is sent now must be consistent, so that it shows every write that was answered before. */
    boolean mustBeConsistent(Moment now) {
        return known.isDoubtful() || hasTryWithoutNews() || own.isAnyAppendSettled(now);
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
        LockItem item = known.item();
        boolean areOthersInTheWay = item.first() != null && (!place.isTurn() || place.isTurnBesideOthers());
        Optional<Duration> shortestWait = areOthersInTheWay ? line.shortestWait() : Optional.empty();
        if (shortestWait.isEmpty()) {
            return Deadline.NEVER;
        }
        // Computed for the time of the last answer: an interval that grew with the time that passes might never end.
        Duration frontUnchangedFor = known.frontUnchangedAtLatestAnswer();
        Duration interval = settings.polling()
                .next(
                        Math.max(1, place.indexOfFirstOwn()),
                        frontUnchangedFor,
                        known.timePerEntry(),
                        shortestWait.get());
        return Deadline.at(known.latestAnswerSentAt().plus(interval));
    }

    /**
     * Whether a caller that does not wait has seen no item since it came. It needs a read, because no edit may be sent
     * for it: there is no room in the queue, or an entry stands there that could serve it.
     */
    private boolean hasTryWithoutNews() {
        return known.isSeen() && line.hasUninformedTry();
    }
}
