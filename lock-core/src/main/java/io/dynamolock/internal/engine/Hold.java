package io.dynamolock.internal.engine;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.time.Moment;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One caller's possession of a lock, from its grant to its release or loss, as {@link LockState} sees it; {@link
 * LockGrant} is what the caller has in its hands. {@link Holds} alone changes a hold. Lives on the event loop.
 */
final class Hold {

    /**
     * A release as the holder has asked for it.
     *
     * @param dataForNext the data that the next holder is to find; {@code null} to leave the data as it is
     * @param isFenceGiven whether the holder has taken the condition for fenced writes
     * @param terms whether the holder awaits its release, and for how long the entry may stay in the queue ({@link
     *     Stays}), as far as the holder is concerned
     */
    record Release(@Nullable LockData dataForNext, boolean isFenceGiven, ReleaseTerms terms) {}

    private final AcquireSpec spec;
    private final OwnEntry entry;
    private final long ticket;
    private final LockData data;
    private final Moment grantedAt;

    /**
     * Data that the holder wants written while it holds the lock; {@code null} for none. Set when the holder asks for
     * it; cleared when an item shows that it is written, or the store refuses it for good.
     */
    private @Nullable LockData dataToWrite;

    /** Whether the holder, a writer, has asked to go on as a reader. Never cleared. */
    private boolean isDowngrading;

    /**
     * The release that the holder has asked for before the end of its shortest hold; {@code null} if it has not. The
     * lock stays taken until the shortest hold is over. Never cleared.
     */
    private @Nullable Release earlyRelease;

    /** What the holder has asked for about its release. Set when the holder releases the lock. */
    private ReleaseTerms terms = ReleaseTerms.AWAITED;

    /**
     * @param ticket greater than the ticket of every earlier grant of the lock, except of grants that hold the lock
     *     beside this one
     * @param data the user's data as the holder found it
     */
    Hold(AcquireSpec spec, OwnEntry entry, long ticket, LockData data, Moment grantedAt) {
        this.spec = spec;
        this.entry = entry;
        this.ticket = ticket;
        this.data = data;
        this.grantedAt = grantedAt;
    }

    AcquireSpec spec() {
        return spec;
    }

    /** The entry by which the lock is held. */
    OwnEntry entry() {
        return entry;
    }

    long ticket() {
        return ticket;
    }

    LockData data() {
        return data;
    }

    Moment grantedAt() {
        return grantedAt;
    }

    @Nullable
    LockData dataToWrite() {
        return dataToWrite;
    }

    void setDataToWrite(@Nullable LockData data) {
        dataToWrite = data;
    }

    boolean isDowngrading() {
        return isDowngrading;
    }

    void downgrade() {
        isDowngrading = true;
    }

    @Nullable
    Release earlyRelease() {
        return earlyRelease;
    }

    /** For how long the entry may stay in the queue, as far as the holder is concerned; zero if it may not stay. */
    Duration stay() {
        return terms.stay();
    }

    /** Whether the holder, who has released the lock, goes on only when the release is done. */
    boolean isReleaseAwaited() {
        return terms.isAwaited();
    }

    void releasedOn(ReleaseTerms asked) {
        terms = asked;
    }

    void releaseEarly(Release release) {
        earlyRelease = release;
    }
}
