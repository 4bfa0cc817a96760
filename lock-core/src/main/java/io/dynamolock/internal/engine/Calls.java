package io.dynamolock.internal.engine;

import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.time.Deadline;
import io.dynamolock.internal.time.Moment;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The calls about one lock: which edit and which read are under way, how the last call ended, and when the next call
 * may be sent. The process waits for at most one edit and one read of a lock at a time. Lives on the event loop.
 */
final class Calls {

    /** While a release waits, an edit without an answer is waited for no longer than this. */
    private static final Duration PATIENCE_OF_RELEASE = Duration.ofMillis(250);

    /** Longest pause after a failure. */
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    /** Longest pause when the item was busy with a transaction, which does not take long. */
    private static final Duration LONGEST_PAUSE_OF_CONFLICT = Duration.ofMillis(40);

    /**
     * The edit that is waited for; {@code null} if there is none. Set when it is sent; cleared when it ends, is given
     * up, or the session is over.
     */
    private @Nullable SentEdit edit;

    /**
     * Whether the last edit was given up without an answer: then the next one is not given up. Cleared when an edit
     * that is waited for ends, and when the session is over.
     */
    private boolean hasStoppedAwaiting;

    /** The read that is under way; {@code null} if there is none. Set when it is sent; cleared when it ends. */
    private @Nullable SentRead read;

    /** Why the last call failed, or why there is no session; {@code null} if the store has answered since. */
    private @Nullable StoreFailure failure;

    /** The pause after a failure: no call is sent while it lasts. */
    private final Backoff pause;

    /** @param firstPause the length of the pause after a first failure */
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

    /** For how long the edit that is waited for has had no answer; zero if there is none. */
    Duration silence(Moment now) {
        return edit == null ? Duration.ZERO : now.since(edit.sentAt());
    }

    /** When the edit that is waited for is to be given up; never if it is waited for until it ends. */
    Deadline editAwaitedUntil(boolean isReleaseWaiting) {
        if (edit == null || !isReleaseWaiting || hasStoppedAwaiting) {
            return Deadline.NEVER;
        }
        return Deadline.at(edit.sentAt().plus(PATIENCE_OF_RELEASE));
    }

    /** Stops waiting for the edit. It may still land. */
    void stopAwaitingEdit() {
        edit = null;
        hasStoppedAwaiting = true;
    }

    void sent(SentEdit call) {
        edit = call;
    }

    /** An edit has been answered or has failed. If that edit was given up earlier, the next one is still waited for. */
    void ended(SentEdit call) {
        if (isUnderWay(call)) {
            forgetEdit();
        }
    }

    /** No edit is waited for any more. */
    void forgetEdit() {
        edit = null;
        hasStoppedAwaiting = false;
    }

    // Reads

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

    /** An edit has failed because the item was busy with a transaction. That is no failure of the store. */
    void conflicted(Moment now) {
        pause.begin(LONGEST_PAUSE_OF_CONFLICT, now);
    }

    /** Why the last call failed, or why there is no session; {@code null} if the store has answered since. */
    @Nullable
    StoreFailure failure() {
        return failure;
    }

    boolean isPausing(Moment now) {
        return pause.isUnderWay(now);
    }

    /** When the pause is over; never if there is none. */
    Deadline pauseEnd() {
        return pause.until();
    }

    boolean areUnderWay() {
        return edit != null || read != null;
    }
}
