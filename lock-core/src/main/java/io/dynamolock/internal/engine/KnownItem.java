package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.PollingInterval;
import io.dynamolock.internal.time.Moment;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What this process knows of a lock's item: the newest state that an answer has shown, and how the front of its queue
 * moves. A state with a greater tail is newer. A state whose tail is not greater counts as newer only if it was
 * certainly read after the known state had arrived: then somebody may have removed the item. Lives on the event loop.
 */
final class KnownItem {

    /**
     * What stands at the front of the queue. The engine keeps it when nobody wants the lock any more, so that even
     * callers who never wait for long find out that the front does not change.
     *
     * @param first the entry at the front; {@code null} if none was seen
     * @param since when this entry was first seen at the front
     * @param askedAt when a process ahead was last asked whether it knows of its entry; {@code since} if none was asked
     *     after that
     * @param questions how many questions were sent in all
     */
    record Front(@Nullable Entry first, Moment since, Moment askedAt, int questions) {

        static Front nothing(Moment now) {
            return new Front(null, now, now, 0);
        }
    }

    /** The newest state; absent if no answer has shown the item. */
    private LockItem item = LockItem.ABSENT;

    /** Whether an answer has shown the item, or that there is none. Set once. */
    private boolean isSeen;

    /** When {@link #item} arrived. */
    private Moment arrivedAt;

    /**
     * The greatest tail that was seen, including tails of items that were removed later: an answer that is still under
     * way may show such an item. Never falls.
     */
    private long greatestTail;

    /** When the latest call was sent that has been answered; only of answers that show the item. Never goes back. */
    private Moment latestAnswerSentAt;

    /** The same of consistent calls: an edit, or a consistent read. Never goes back. */
    private Moment latestConsistentSentAt;

    /** When the call was sent whose answer has shown the present tail first. */
    private Moment changedAt;

    /** What stands at the front. Replaced when another entry comes to the front, and when a process is asked. */
    private Front front;

    /** How long an entry at the front has taken lately; zero if that is not known. */
    private Duration timePerEntry = Duration.ZERO;

    /**
     * What the store's clock said in the answer that came last and told its time; {@code null} if none has told it. A
     * bound from below for the store's present time.
     */
    private @Nullable Instant storeTime;

    /**
     * Whether the next read is to be consistent, because an answer has contradicted what is known, or because an orphan
     * is suspected. Cleared by the next consistent answer that is accepted as the newest state.
     */
    private boolean isDoubtful;

    /**
     * Whether an entry may be an orphan because another process asks about it, so that a read is due at once. Cleared
     * by the next consistent answer that is accepted as the newest state.
     */
    private boolean isOrphanSuspected;

    /** @param before what was seen at the front when somebody wanted the lock last */
    KnownItem(Front before, Moment now) {
        this.front = before;
        this.arrivedAt = now;
        this.latestAnswerSentAt = now;
        this.latestConsistentSentAt = now;
        this.changedAt = now;
    }

    LockItem item() {
        return item;
    }

    Front front() {
        return front;
    }

    /** How long the entry at the front has been seen there. */
    Duration frontUnchangedFor(Moment now) {
        return now.since(front.since());
    }

    /** How long the entry at the front had been seen there when the latest call was sent that has been answered. */
    Duration frontUnchangedAtLatestAnswer() {
        return latestAnswerSentAt.since(front.since());
    }

    Duration timePerEntry() {
        return timePerEntry;
    }

    /** Whether an answer has shown the item, or that there is none. */
    boolean isSeen() {
        return isSeen;
    }

    Moment latestAnswerSentAt() {
        return latestAnswerSentAt;
    }

    /** When the latest consistent call was sent that has been answered; when this object was made if there is none. */
    Moment latestConsistentSentAt() {
        return latestConsistentSentAt;
    }

    Moment changedAt() {
        return changedAt;
    }

    /** A time that has passed by the store's clock; {@code null} if no answer has told one. */
    @Nullable
    Instant storeTime() {
        return storeTime;
    }

    boolean isDoubtful() {
        return isDoubtful;
    }

    boolean isOrphanSuspected() {
        return isOrphanSuspected;
    }

    /**
     * An answer has shown the item.
     *
     * @param sentAt when the call was sent
     * @param toldTime what the store's clock said when it answered; {@code null} if the answer does not tell
     * @return whether this state is accepted as the newest; if not, it shows only that the store answers
     */
    boolean show(LockItem shown, boolean isConsistent, Moment sentAt, @Nullable Instant toldTime, Moment now) {
        if (toldTime != null) {
            storeTime = toldTime;
        }
        latestAnswerSentAt = Moment.later(latestAnswerSentAt, sentAt);
        if (isConsistent) {
            latestConsistentSentAt = Moment.later(latestConsistentSentAt, sentAt);
        }
        boolean isSurelyNewer = isConsistent && !sentAt.isBefore(arrivedAt);
        if (isSeen && shown.tail() <= greatestTail && !isSurelyNewer) {
            if (!shown.equals(item)) {
                isDoubtful = true;
            }
            return false;
        }
        if (isConsistent) {
            isDoubtful = false;
            isOrphanSuspected = false;
        }
        noteFront(shown, now);
        if (item.tail() != shown.tail()) {
            changedAt = sentAt;
        }
        item = shown;
        isSeen = true;
        greatestTail = Math.max(greatestTail, shown.tail());
        arrivedAt = now;
        return true;
    }

    private void noteFront(LockItem shown, Moment now) {
        Entry first = shown.first();
        if (Objects.equals(first, front.first())) {
            return;
        }
        if (item.first() != null) {
            int place = first == null ? -1 : item.indexOf(first);
            int gone = place < 0 ? item.queue().size() : place;
            timePerEntry = PollingInterval.perEntry(timePerEntry, frontUnchangedFor(now), Math.max(1, gone));
        }
        front = new Front(first, now, now, front.questions());
    }

    /** Another process asks about an own entry that is unknown here, or that may stand in the queue twice. */
    void suspectOrphan() {
        isDoubtful = true;
        isOrphanSuspected = true;
    }

    /** A process ahead is asked whether it knows of its entry. */
    void asked(Moment now) {
        front = new Front(front.first(), front.since(), now, front.questions() + 1);
    }
}
