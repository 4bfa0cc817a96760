package io.dynamolock.internal.engine;

import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.time.Deadline;
import io.dynamolock.internal.time.Moment;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The calls about one lock: which edit and which read are under way, how the last call ended, and when the next call
 * may be sent. The process awaits at most one edit and one read of a lock at a time. Lives on the event loop.
 *
 * <p><b>When an answer is lost</b>, the call fails at its timeout ({@link StoreCalls}) and is never sent again. An
 * answer that comes after the timeout is ignored. A pause follows, which grows with each failure in a row. Then {@link
 * NextWrite} and {@link NextRead} decide anew what to send:
 *
 * <ul>
 *   <li>A lost read is followed by another read.
 *   <li>A lost edit may have landed, or may land later, unless the failure says that it never lands. {@link
 *       OwnEntries#sent} has noted what was sent, so an entry is recognised under each number that was sent for it.
 *   <li>If the lost edit was to take entries out or to reissue one, another edit repeats this. In the meantime these
 *       entries serve nobody.
 *   <li>If the lost edit was to append entries, another edit appends new ones for the waiters, although the first
 *       append may still land. If both land, the entries that serve nobody are taken out. One call timeout after the
 *       lost edit has failed, a consistent read shows for certain whether it has landed ({@link
 *       OwnEntry#appendSettledAt}).
 *   <li>Releases that wait for the lost edit are told that they are done. The entry goes with a later edit.
 * </ul>
 *
 * <p>A release does not wait for the timeout: while it waits, an edit is awaited for only {@link #PATIENCE_OF_RELEASE}.
 * Then another edit may be sent, which is awaited until it ends. If the first edit is answered before its timeout, the
 * answer counts like any other.
 *
 * <p>A refused edit is answered, not lost: it never lands, and the answer shows the item.
 */
final class Calls {

    /** While a release waits, an edit without an answer is awaited no longer than this. */
    private static final Duration PATIENCE_OF_RELEASE = Duration.ofMillis(250);

    /** Longest pause after a failure. */
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    /** Longest pause when the item was busy with a transaction, which does not take long. */
    private static final Duration LONGEST_PAUSE_OF_CONFLICT = Duration.ofMillis(40);

    /**
     * The edit that is awaited; {@code null} if there is none. Set when it is sent; cleared when it ends, when it has
     * been awaited for long enough, and when the session is over.
     */
    private @Nullable SentEdit edit;

    /**
     * Whether the process has stopped awaiting an edit that has had no answer: then the next edit is awaited until it
     * ends. Cleared when an awaited edit ends, and when the session is over.
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

    /** For how long the awaited edit has had no answer; zero if no edit is awaited. */
    Duration silence(Moment now) {
        return edit == null ? Duration.ZERO : now.since(edit.sentAt());
    }

    /** Until when the edit is awaited; never if it is awaited until it ends, or there is none. */
    Deadline editAwaitedUntil(boolean isReleaseWaiting) {
        if (edit == null || !isReleaseWaiting || hasStoppedAwaiting) {
            return Deadline.NEVER;
        }
        return Deadline.at(edit.sentAt().plus(PATIENCE_OF_RELEASE));
    }

    /** Stops awaiting the edit, which may still land. */
    void stopAwaitingEdit() {
        edit = null;
        hasStoppedAwaiting = true;
    }

    void sent(SentEdit call) {
        edit = call;
    }

    /** An edit has been answered or has failed. If it is not the awaited edit, that one is still awaited. */
    void ended(SentEdit call) {
        if (isUnderWay(call)) {
            forgetEdit();
        }
    }

    /** No edit is awaited any more. */
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
