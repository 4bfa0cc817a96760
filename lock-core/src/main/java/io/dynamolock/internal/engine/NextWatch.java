package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.FailureDetection;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.Notice;
import io.dynamolock.internal.protocol.SessionId;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says which sessions a process watches for a lock, and which process it asks about an entry. {@link LockState} asks
 * after each event while a caller waits here and there is a session. Changes nothing. Lives on the event loop.
 */
final class NextWatch {

    private final LockKey key;
    private final EngineSettings settings;
    private final KnownItem known;
    private final OwnEntries own;
    private final WaitingLine line;
    private final PlaceInQueue place;
    private final EndOfWaits endOfWaits;
    private final Peers peers;

    NextWatch(
            LockKey key,
            EngineSettings settings,
            KnownItem known,
            OwnEntries own,
            WaitingLine line,
            PlaceInQueue place,
            EndOfWaits endOfWaits,
            Peers peers) {
        this.key = key;
        this.settings = settings;
        this.known = known;
        this.own = own;
        this.line = line;
        this.place = place;
        this.endOfWaits = endOfWaits;
        this.peers = peers;
    }

    /** The sessions to watch. The own session is never among them. */
    Set<SessionId> sessions(Now now) {
        LockItem item = known.item();
        Set<SessionId> sessions = new LinkedHashSet<>(settings.detection()
                .toWatch(
                        place.ahead(),
                        item.holders(),
                        known.frontUnchangedFor(now.moment()),
                        peers::isDead,
                        peers::isQuiet));
        // Perhaps only the dead keep a caller that does not wait from the lock, so it has to be known who lives.
        if (line.lanes().stream()
                .anyMatch(lane -> !lane.informedTries().isEmpty() && !couldHoldBesideAll(lane, item))) {
            sessions.addAll(FailureDetection.living(item.queue().stream(), peers::isDead));
        }
        sessions.remove(own.session());
        return sessions;
    }

    private boolean couldHoldBesideAll(Lane waiters, LockItem item) {
        return endOfWaits.canHoldBeside(item.queue(), WaitingLine.Earlier.NOBODY, waiters.mode(), waiters.permits());
    }

    /**
     * The question to send; {@code null} if none is due. If the front has not changed for a lease, a process ahead may
     * have forgotten its entry. Then the processes ahead are asked one after the other, one per lease: the processes of
     * the holders, and the process of the first entry behind them.
     */
    Effect.@Nullable SendNotice question(Now now) {
        KnownItem.Front front = known.front();
        if (now.moment().since(front.askedAt()).compareTo(settings.lease()) < 0) {
            return null;
        }
        List<Entry.OfSession> candidates = candidates();
        if (candidates.isEmpty()) {
            return null;
        }
        Entry.OfSession next = candidates.get(front.questions() % candidates.size());
        return new Effect.SendNotice(next.session(), new Notice(Notice.Wish.TAKE_OUT_IF_UNWANTED, key, next.number()));
    }

    /** The entries of living processes that may be asked about, one entry for each process. */
    private List<Entry.OfSession> candidates() {
        Set<SessionId> processes = new HashSet<>();
        return place.ahead().stream()
                .filter(entry -> !own.isOwn(entry))
                .limit(known.item().holders() + 1L)
                .filter(Entry.OfSession.class::isInstance)
                .map(Entry.OfSession.class::cast)
                .filter(entry -> !peers.isDead(entry.session()) && processes.add(entry.session()))
                .toList();
    }
}
