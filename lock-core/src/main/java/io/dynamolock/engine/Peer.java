package io.dynamolock.engine;

import io.dynamolock.internal.engine.EngineSettings;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.protocol.SessionItem;
import io.dynamolock.protocol.Vigil;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What reads have shown of one session of another process, and when to read it again. Lives on the event loop. */
final class Peer {

    private static final Duration SLOWEST_READS = Duration.ofSeconds(1);

    /** A short lease is read so often. */
    private static final int READS = 20;

    /** A read may come so much of an interval early. */
    private static final int EARLY_BY = 4;

    private final SessionId id;
    private final EngineContext context;
    private final Vigil vigil;
    private @Nullable SessionItem item;
    private long beatSince;
    private long lastRead;
    private Duration pause = Duration.ZERO;
    private boolean alive;
    private boolean quiet;
    private boolean dead;
    private boolean asked;
    private boolean underWay;
    private boolean alone;
    private boolean unreadable;

    Peer(SessionId id, EngineContext context, Vigil vigil) {
        this.id = id;
        this.context = context;
        this.vigil = vigil;
        this.lastRead = context.time.nanos() - SLOWEST_READS.toNanos();
    }

    SessionId id() {
        return id;
    }

    /** The session as it was last read. */
    @Nullable
    SessionItem item() {
        return item;
    }

    boolean isDead() {
        return dead;
    }

    /** Whether it was found alive a moment ago. */
    boolean isAlive() {
        return alive && isFresh();
    }

    /** Whether the last answer showed the same beat for longer than one and a half should take. */
    boolean isQuiet() {
        return quiet && !dead;
    }

    /** Whether a read has just been answered or has failed, so that another would be too soon. */
    private boolean isFresh() {
        return context.since(lastRead).compareTo(interval()) < 0;
    }

    /** Somebody wants to know; false if there will be no answer. */
    boolean ask() {
        asked |= !dead && (underWay || !isFresh());
        return asked;
    }

    /** Whether somebody wanted to know; that is answered now. */
    boolean endsAsking() {
        boolean isNews = asked;
        asked = false;
        return isNews;
    }

    /** Whether this is new. */
    boolean dies() {
        boolean isNew = !dead;
        dead = true;
        alive = false;
        asked = false;
        return isNew;
    }

    boolean mayBeRead() {
        return !dead && !underWay;
    }

    void sending() {
        underWay = true;
    }

    /**
     * An answer has just shown this.
     *
     * @param now the wall clock
     * @return whether the session is to be buried
     */
    boolean isSilent(SessionItem shown, Instant now) {
        boolean isReadOn = item != null && context.since(lastRead).compareTo(betweenBeats()) <= 0;
        boolean isNewBeat = item == null || item.beat() != shown.beat();
        item = shown;
        arrived();
        // Counted from the arrival of the first answer that showed it.
        beatSince = isNewBeat ? lastRead : beatSince;
        alone = false;
        unreadable = false;
        Duration sameBeat = context.since(beatSince);
        quiet = sameBeat.multipliedBy(2).compareTo(betweenBeats().multipliedBy(3)) > 0;
        alive = !vigil.isSilent(shown, sameBeat) && !vigil.isLongSilent(shown, now);
        if (isReadOn && isNewBeat) {
            // The beat is a moment old, and what comes before the next one would show nothing.
            pause = Collections.max(List.of(pause, betweenBeats().minus(early())));
        }
        // None is left if it is silent: if its burial fails, it is read again after the usual pause.
        Duration left = vigil.left(shown, sameBeat);
        if (!left.isZero()) {
            pause = Collections.min(List.of(pause, left));
        }
        return !alive;
    }

    /** A call about it has ended. */
    void arrived() {
        underWay = false;
        alive = false;
        lastRead = context.time.nanos();
        pause = interval();
    }

    /** An answer about it and others tells nothing of it. */
    void leftOut() {
        arrived();
        alone = true;
    }

    /** A call about it was answered in vain. Whether this is new. */
    boolean turnsUnreadable() {
        boolean isNew = !unreadable;
        unreadable = true;
        alone = true;
        return isNew;
    }

    /** Whether it is not to be read along with others, since it could not be. */
    boolean isReadAlone() {
        return alone;
    }

    Duration untilNextRead() {
        Duration rest = asked ? Duration.ZERO : pause.minus(context.since(lastRead));
        return rest.isNegative() ? Duration.ZERO : rest;
    }

    /** Whether it is to be read now or a little later, so that it may be read along with others. */
    boolean isAboutDue() {
        return untilNextRead().compareTo(early()) <= 0;
    }

    private Duration early() {
        return interval().dividedBy(EARLY_BY);
    }

    private Duration interval() {
        return Collections.min(List.of(SLOWEST_READS, lease().dividedBy(READS)));
    }

    /** Processes are taken to beat equally often within their leases. */
    private Duration betweenBeats() {
        EngineSettings own = context.settings;
        return own.heartbeat()
                .multipliedBy(lease().toMillis())
                .dividedBy(own.lease().toMillis());
    }

    private Duration lease() {
        return item == null ? context.settings.lease() : item.lease();
    }
}
