package io.dynamolock.internal.engine;

import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.time.Deadline;
import io.dynamolock.internal.time.Moment;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The calls about one lock: which edit and which read are under way, how the last call ended, and when the next may be
 * sent. At most one edit and one read of a lock are under way that anything waits for. Lives on the event loop.
 */
final class Calls {

    /** While a release waits, an edit without an answer is given up after this time. */
    private static final Duration PATIENCE_OF_RELEASE = Duration.ofMillis(250);

    /** Longest pause after a failure. */
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    /** Longest pause when the item was busy with a transaction: the holder is at work, and done soon. */
    private static final Duration LONGEST_PAUSE_OF_CONFLICT = Duration.ofMillis(40);

    /**
     * The edit whose end is waited for. Set when it is sent; cleared when it ends, is given up, or the session is over.
     */
    private @Nullable SentEdit edit;

    /**
     * Whether the edit before {@link #edit} was given up without an answer, so that this one is waited for. Cleared
     * when an edit that is waited for ends, and when the session is over.
     */
    private boolean hasGivenUp;

    /** The read that is under way. Set when it is sent; cleared when it ends. */
    private @Nullable SentRead read;

    /** Why the last call failed; {@code null} if the store has answered since. */
    private @Nullable StoreFailure failure;

    /** No call is sent while this pause lasts. */
    private final Backoff pause;

    /** @param firstPause how long the pause after a first failure is */
    Calls(Duration firstPause) {
        this.pause = new Backoff(firstPause);
    }

    // Edits

    boolean isEditUnderWay() {
        return edit != null;
    }

    boolean isUnderWay(SentEdit call) {
        return edit == call;
    }

    /** For how long the edit under way has had no answer; zero if there is none under way. */
    Duration silence(Moment now) {
        return edit == null ? Duration.ZERO : now.since(edit.sentAt());
    }

    /** When the edit under way is given up; never if it is waited for. */
    Deadline editGivenUpAt(boolean isReleaseWaiting) {
        if (edit == null || !isReleaseWaiting || hasGivenUp) {
            return Deadline.NEVER;
        }
        return Deadline.at(edit.sentAt().plus(PATIENCE_OF_RELEASE));
    }

    void giveUpEdit() {
        edit = null;
        hasGivenUp = true;
    }

    void sent(SentEdit call) {
        edit = call;
    }

    /**
     * An edit has been answered or has failed. An edit that was given up earlier tells nothing about the one under way.
     */
    void ended(SentEdit call) {
        if (isUnderWay(call)) {
            forgetEdit();
        }
    }

    /** Nothing is waited for any more: the session is over. */
    void forgetEdit() {
        edit = null;
        hasGivenUp = false;
    }

    // Reads

    boolean isReadUnderWay() {
        return read != null;
    }

    void sent(SentRead call) {
        read = call;
    }

    /** A read has been answered or has failed. */
    void ended(SentRead call) {
        if (read == call) {
            read = null;
        }
    }

    // Failures

    /** The store has answered a call. */
    void succeeded() {
        failure = null;
        pause.end();
    }

    void failed(StoreFailure why, Moment now) {
        failure = why;
        pause.begin(LONGEST_PAUSE, now);
    }

    /** The item was busy with a transaction. The store works. */
    void conflicted(Moment now) {
        pause.begin(LONGEST_PAUSE_OF_CONFLICT, now);
    }

    /** Why the last call failed; {@code null} if the store has answered since. */
    @Nullable
    StoreFailure failure() {
        return failure;
    }

    boolean isPausing(Moment now) {
        return pause.isUnderWay(now);
    }

    /** When the pause is over. */
    Deadline pauseEnd() {
        return pause.until();
    }

    boolean areUnderWay() {
        return edit != null || read != null;
    }
}
