package io.dynamolock.internal.engine;

import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.time.Deadline;
import io.dynamolock.internal.time.Durations;
import io.dynamolock.internal.time.Moment;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The calls about one lock: which edit is awaited and which read is under way, how the last of each kind ended, and
 * when the next of each kind may be sent. At most one edit is awaited at a time, and at most one read is under way. An
 * edit may still be under way when it is awaited no longer. Lives on the event loop.
 *
 * <p><b>Edits and reads fail apart</b>: a store may throttle or refuse the one and answer the other. So each kind has
 * its own failure and its own pause, and no kind waits for the other: while an edit is silent or fails again and again,
 * reads show what has become of the lock.
 *
 * <p><b>When an answer is lost</b>, the call fails at its timeout ({@link StoreCalls}) and is never sent again. An
 * answer that comes after the timeout is ignored. A pause of its kind follows, which grows with each failure in a row.
 * Then {@link NextWrite} and {@link NextRead} decide anew what to send:
 *
 * <ul>
 *   <li>A lost read is followed by another read.
 *   <li>A lost edit may have landed, or may land later, unless the failure says that it never lands. {@link
 *       OwnEntries#sent} has noted what was sent, so an entry is recognised under each number that was sent for it.
 *       A consistent read looks for the edit at once ({@link #lookDue}), and also while an edit is silent.
 *   <li>If the lost edit was to take entries out or to reissue one, another edit repeats this. In the meantime these
 *       entries serve nobody.
 *   <li>If the lost edit was to append entries, another edit appends new ones for the waiters, although the first
 *       append may still land; but a third append waits until a read has looked for the first two ({@link
 *       #mayAppend}). If both land, the entries that serve nobody are taken out. One call timeout after the lost edit
 *       has failed, a consistent read shows whether it has landed ({@link OwnEntry#appendSettledAt}).
 *   <li>Releases that wait for the lost edit are told that they are done. The entry goes with a later edit.
 * </ul>
 *
 * <p>A release does not wait for the timeout: while it waits, an edit is awaited for only {@link #PATIENCE_OF_RELEASE}.
 * Then another edit may be sent, which is awaited until it ends. If the first edit is answered before its timeout, the
 * answer counts like any other. If the first edit then fails, there is no pause, and releases wait for the second.
 *
 * <p>A refused edit is answered, not lost: it never lands, and the answer shows the item.
 */
final class Calls {

    /** While a release waits, an edit without an answer is awaited no longer than this. */
    private static final Duration PATIENCE_OF_RELEASE = Duration.ofMillis(250);

    /** Longest pause after a failure. */
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    /** When an edit has been silent for this long, a read looks for it. Few calls take that long. */
    private static final Duration SILENCE_BEFORE_LOOK = Duration.ofMillis(250);

    /** While an edit is silent, this much time passes at most between two reads that look for it. */
    private static final Duration MOST_BETWEEN_LOOKS = Duration.ofSeconds(1);

    /** This many appends without an answer may be sent before a read looks for them. */
    private static final int MOST_UNLOOKED_APPENDS = 2;

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

    /** Why the last edit failed; {@code null} if an edit has been answered since, or nothing is to be written. */
    private @Nullable StoreFailure editFailure;

    /** Why the last read failed; {@code null} if a read has been answered since, or nothing is to be read. */
    private @Nullable StoreFailure readFailure;

    /** Why there is no session; {@code null} if there is one, or its beginning has not failed. */
    private @Nullable StoreFailure sessionFailure;

    /** The pause after an edit that has failed: no edit is sent while it lasts. */
    private final Backoff editPause;

    /** The pause after a read that has failed: no read is sent while it lasts. */
    private final Backoff readPause;

    /**
     * When an edit failed last that may have landed; never if a consistent call that was sent after that has been
     * answered. Also never before the first failure, and without a session.
     */
    private Deadline lookDue = Deadline.NEVER;

    /**
     * When a read is to show once more what became of appends that had no answer; never if there is none to find out
     * about, and without a session. Cleared when a consistent call that was sent then or later has been answered.
     */
    private Deadline lookAgainDue = Deadline.NEVER;

    /** How many appends have failed that may have landed, since a read has looked for such edits. */
    private int unlookedAppends;

    private final Duration lease;

    /**
     * @param lease after this time, a read looks once more for an append that had no answer
     */
    Calls(Duration lease) {
        this.lease = lease;
        this.editPause = new Backoff(Backoff.SHORTEST);
        this.readPause = new Backoff(Backoff.SHORTEST);
    }

    // Edits

    /** Whether an edit is awaited. An edit that is awaited no longer may still be under way. */
    boolean isEditUnderWay() {
        return edit != null;
    }

    /** Whether this edit is the awaited one. Says no if the edit is under way, but awaited no longer. */
    boolean isUnderWay(SentEdit call) {
        return edit == call;
    }

    /** The edit that is awaited; {@code null} if there is none. */
    @Nullable
    SentEdit editUnderWay() {
        return edit;
    }

    /** When the awaited edit was sent; the other moment if none is awaited. */
    Moment editSentAt(Moment otherwise) {
        return edit == null ? otherwise : edit.sentAt();
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
        if (!lookDue.isNever() && lookDue.isPast(call.sentAt())) {
            // The read may have failed. Then one more append may be sent, and another read.
            unlookedAppends = Math.min(unlookedAppends, MOST_UNLOOKED_APPENDS - 1);
        }
    }

    // Edits that may have landed

    /** An edit has failed that may have landed. */
    void mayHaveLanded(SentEdit call, Moment now) {
        lookDue = Deadline.at(now);
        if (!call.appended().isEmpty()) {
            unlookedAppends++;
            lookAgainDue = Deadline.at(now.plus(lease));
        }
    }

    /** A consistent call that was sent at this moment has shown the item. */
    void looked(Moment sentAt) {
        if (lookDue.isPast(sentAt)) {
            lookDue = Deadline.NEVER;
            unlookedAppends = 0;
        }
        if (lookAgainDue.isPast(sentAt)) {
            lookAgainDue = Deadline.NEVER;
        }
    }

    /** Looks for no edit any more: the item cannot be read, or the engine closes. */
    void stopLooking() {
        lookDue = Deadline.NEVER;
        lookAgainDue = Deadline.NEVER;
        unlookedAppends = 0;
    }

    /** When a read is due that looks once more for appends that had no answer; never if there is none. */
    Deadline lookAgainDue() {
        return lookAgainDue;
    }

    /** Since when a read is due that looks for an edit which may have landed; never if there is no such edit. */
    Deadline lookDue() {
        return lookDue;
    }

    /** Whether an append may be sent: not if several have had no answer and no read has looked for them since. */
    boolean mayAppend() {
        return unlookedAppends < MOST_UNLOOKED_APPENDS;
    }

    /**
     * When a read is due because the awaited edit is silent: after a quarter of a second, and then after twice as long
     * each time, at most a second later. Never if no edit is awaited.
     *
     * @param latestAnswerSentAt when the call was sent whose answer has shown the item last
     */
    Deadline lookDueInSilence(Moment latestAnswerSentAt) {
        if (edit == null) {
            return Deadline.NEVER;
        }
        Moment from = Moment.later(edit.sentAt(), latestAnswerSentAt);
        Duration silence = Durations.longer(SILENCE_BEFORE_LOOK, from.since(edit.sentAt()));
        return Deadline.at(from.plus(Durations.shorter(silence, MOST_BETWEEN_LOOKS)));
    }

    // Failures

    /** The store has answered an edit. */
    void editSucceeded() {
        editFailure = null;
        editPause.end();
    }

    /** The store has answered a read. */
    void readSucceeded() {
        readFailure = null;
        readPause.end();
    }

    void editFailed(StoreFailure why, Moment now) {
        editFailure = why;
        editPause.begin(LONGEST_PAUSE, now);
    }

    void readFailed(StoreFailure why, Moment now) {
        readFailure = why;
        readPause.begin(LONGEST_PAUSE, now);
    }

    /** An edit has failed because the item was busy with a transaction. That is no failure of the store. */
    void conflicted(Moment now) {
        editPause.begin(LONGEST_PAUSE_OF_CONFLICT, now);
    }

    /** Nothing is to be written, so what the last edit has failed to write does not matter any more. */
    void nothingToWrite() {
        editFailure = null;
    }

    /** Nothing is to be read, so that the last read has failed does not matter any more. */
    void nothingToRead() {
        readFailure = null;
    }

    // The session

    void sessionBegan() {
        sessionFailure = null;
        editSucceeded();
        readSucceeded();
    }

    /** No session could be begun. */
    void noSession(StoreFailure why) {
        sessionFailure = why;
    }

    /** The session is over: what was sent under it is not waited for any more. */
    void sessionOver() {
        forgetEdit();
        stopLooking();
    }

    /** Why there is no session, or why the last edit or read failed; {@code null} if nothing has failed since. */
    @Nullable
    StoreFailure failure() {
        StoreFailure ofCall = editFailure == null ? readFailure : editFailure;
        return sessionFailure == null ? ofCall : sessionFailure;
    }

    boolean areEditsPausing(Moment now) {
        return editPause.isUnderWay(now);
    }

    /** When the pause of edits is over; never if there is none. */
    Deadline editPauseEnd() {
        return editPause.until();
    }

    boolean areReadsPausing(Moment now) {
        return readPause.isUnderWay(now);
    }

    /** When the pause of reads is over; never if there is none. */
    Deadline readPauseEnd() {
        return readPause.until();
    }

    /** Whether an edit is awaited or a read is under way. */
    boolean areUnderWay() {
        return edit != null || read != null;
    }
}
