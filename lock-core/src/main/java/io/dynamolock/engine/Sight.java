package io.dynamolock.engine;

import io.dynamolock.protocol.SessionItem;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What reads of one session of another process have shown, and when to read it again. Lives on the event loop. */
final class Sight {

    private static final Duration SLOWEST_READS = Duration.ofSeconds(1);

    /** A short lease is read so often. */
    private static final int READS = 20;

    /** The read for the next beat comes so much of an interval before that is due; a read may go along so early. */
    private static final int EARLY_BY = 4;

    /** A process that has the session in sight looks again at the latest after so many of the shortest poll intervals. */
    private static final int POLLS_IN_SIGHT = 10;

    private final EngineContext context;
    private final Duration wantedFor;
    private @Nullable SessionItem item;
    private Duration interval = SLOWEST_READS;
    private Duration betweenBeats = Duration.ZERO;
    private long beatSince;
    private boolean found;
    private boolean failed;
    private boolean hasJustBeaten;
    private boolean quiet;
    private long sent;
    private long sentBefore;
    private long lastRead;
    private boolean wantedSinceRead;
    private long lastWanted;

    Sight(EngineContext context) {
        this.context = context;
        this.wantedFor = context.settings.pollMax().plus(SLOWEST_READS).multipliedBy(2);
        this.lastRead = context.time.nanos() - SLOWEST_READS.toNanos();
        this.lastWanted = context.time.nanos() - wantedFor.toNanos();
        expect(context.settings.lease());
    }

    /** Processes are taken to beat equally often within their leases. */
    private void expect(Duration lease) {
        EngineSettings own = context.settings;
        interval = Collections.min(List.of(SLOWEST_READS, lease.dividedBy(READS)));
        Duration beats = own.heartbeat().multipliedBy(lease.toMillis());
        betweenBeats = beats.dividedBy(own.lease().toMillis());
    }

    /** The session as it was last read. */
    @Nullable
    SessionItem item() {
        return item;
    }

    Duration interval() {
        return interval;
    }

    /** It stands ahead of a caller right now. */
    void wanted() {
        lastWanted = context.time.nanos();
        wantedSinceRead = true;
    }

    void sent() {
        sent = context.time.nanos();
    }

    /** An answer has just shown this; for how long the same beat has been seen. */
    Duration shows(SessionItem now) {
        arrived(true);
        boolean isNewBeat = item == null || item.beat() != now.beat();
        Duration betweenReads = Duration.ofNanos(sent - sentBefore);
        hasJustBeaten = isNewBeat && item != null && betweenReads.compareTo(betweenBeats) <= 0;
        sentBefore = sent;
        // Counted from the arrival of the first answer that showed it.
        beatSince = isNewBeat ? lastRead : beatSince;
        item = now;
        expect(now.lease());
        quiet = sameBeat().multipliedBy(2).compareTo(betweenBeats.multipliedBy(3)) > 0;
        return sameBeat();
    }

    void failed() {
        arrived(false);
        hasJustBeaten = false;
    }

    private void arrived(boolean isAnswer) {
        found = isAnswer;
        failed = !isAnswer;
        wantedSinceRead = false;
        lastRead = context.time.nanos();
    }

    /** It was not found alive after all. */
    void notAlive() {
        found = false;
    }

    Duration sameBeat() {
        return context.since(beatSince);
    }

    /** Whether the last answer showed the same beat for longer than one and a half should take. */
    boolean isQuiet() {
        return quiet;
    }

    boolean isAlive() {
        return found && isFresh();
    }

    /** Whether a read has just been answered or has failed, so that another would be too soon. */
    boolean isFresh() {
        return (found || failed) && context.since(lastRead).compareTo(interval) < 0;
    }

    boolean isWanted() {
        return context.since(lastWanted).compareTo(wantedFor) < 0;
    }

    /** Short holds come and go: a session that has not been ahead since the last read, nor lately, is not read on. */
    boolean isStillAhead() {
        Duration inSight = context.settings.pollMin().multipliedBy(POLLS_IN_SIGHT);
        return wantedSinceRead || context.since(lastWanted).compareTo(inSight) < 0;
    }

    /** Whether it may be read along with others that are due. */
    boolean mayBeRead() {
        return isStillAhead() && untilNextRead().compareTo(interval.dividedBy(EARLY_BY)) <= 0;
    }

    /**
     * A beat that is new since a read a moment ago is a moment old, and what comes before the next would show nothing.
     * That one is expected a little early, and read for at the usual interval if it does not show: or else a read that
     * was late once would make all later ones late.
     */
    Duration untilNextRead() {
        Duration usual = interval.minus(context.since(lastRead));
        Duration beat = betweenBeats.minus(interval.dividedBy(EARLY_BY)).minus(context.since(sent));
        return hasJustBeaten && beat.compareTo(usual) > 0 ? beat : usual;
    }
}
