package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.PollingInterval;
import io.dynamolock.internal.time.Moment;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What this process knows of a lock's item: the newest state that an answer has shown, and how the front of its queue
 * moves. Of two states the one with the greater tail is the newer one. A state with a smaller tail counts only if it
 * was certainly read after the newest one had arrived: then somebody has removed the item. Lives on the event loop.
 */
final class KnownItem {

    /**
     * What stands at the front of the queue. It outlives those who want the lock, so that callers who never wait for
     * long find out, too, that nothing moves.
     *
     * @param first the entry there; {@code null} if none was seen
     * @param since when that entry was first seen there
     * @param askedAt when a process in the way was last asked whether it knows of its entry; when this entry came to
     *     the front, if none was asked since
     * @param questions how many processes were asked
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
     * The greatest tail that was seen, of items that were removed since, too: an answer that is still under way may
     * show such an item. Never falls.
     */
    private long greatestTail;

    /** When the latest call was sent whose answer has shown the item, in the order of the answers. */
    private Moment latestAnswerSentAt;

    /** When the call was sent whose answer showed the latest change of the item. */
    private Moment changedAt;

    /** What stands at the front; changes when another entry comes to the front, and when a process is asked. */
    private Front front;

    /** How long an entry at the front has taken lately; zero if that is not known. */
    private Duration timePerEntry = Duration.ZERO;

    /**
     * Whether the next read is to be consistent, because an answer has contradicted what is known, or somebody asks
     * about an entry that is not known. Cleared by the next consistent answer.
     */
    private boolean isDoubtful;

    /**
     * Whether somebody asks about an entry that may be an orphan, so that a read is due at once. Cleared by the next
     * consistent answer.
     */
    private boolean isOrphanSuspected;

    /** @param before what was seen at the front when somebody wanted the lock last */
    KnownItem(Front before, Moment now) {
        this.front = before;
        this.arrivedAt = now;
        this.latestAnswerSentAt = now;
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

    /** The same at the moment of the latest answer. */
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

    Moment changedAt() {
        return changedAt;
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
     * @return whether that state is the newest now; if not, it says only that the store answers
     */
    boolean show(LockItem shown, boolean isConsistent, Moment sentAt, Moment now) {
        latestAnswerSentAt = sentAt;
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

    /** Somebody asks about an own entry that is not known, or may stand there twice. */
    void suspectOrphan() {
        isDoubtful = true;
        isOrphanSuspected = true;
    }

    /** A process in the way is asked whether it knows of its entry. */
    void asked(Moment now) {
        front = new Front(front.first(), front.since(), now, front.questions() + 1);
    }
}
