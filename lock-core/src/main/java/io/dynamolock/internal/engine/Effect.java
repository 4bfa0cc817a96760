package io.dynamolock.internal.engine;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.Notice;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.StoreFailure;
import java.util.Set;

/** What is to be done about a lock. The shell does it; nothing of it calls back before the event is over. */
sealed interface Effect {

    /** What has become of a hold. */
    sealed interface OfHold extends Effect {

        Hold hold();
    }

    record SendEdit(SentEdit edit) implements Effect {}

    record SendRead(SentRead read) implements Effect {}

    /** The waiter stands in the queue, behind so many others; the ticket is that of its grant if nobody before it gives up. */
    record Queued(Waiter waiter, long ticket, long ahead) implements Effect {}

    /** The waiter has the lock. */
    record Granted(Waiter waiter, Hold hold) implements Effect {}

    /** The waiter does not get the lock. */
    record Ended(Waiter waiter, AcquireOutcome outcome) implements Effect {}

    /**
     * The release has done all that its caller waits for.
     *
     * @param wasOwn whether the lock was still that caller's: not if somebody has taken its entry out
     */
    record ReleaseDone(Hold hold, boolean wasOwn) implements OfHold {}

    /** The hold is over without a release. */
    record Lost(Hold hold, LossReason reason) implements OfHold {}

    /** The holder's data is written. */
    record DataWritten(Hold hold, LockData data) implements OfHold {}

    /** The holder's data cannot be written. */
    record DataRefused(Hold hold, StoreFailure why) implements OfHold {}

    /** The entry by which the hold has the lock is this one now; a writer with a shared one goes on as a reader. */
    record StandsAs(Hold hold, Entry entry) implements OfHold {}

    /** These sessions are to be watched for this lock from now on, and no others. */
    record Watch(Set<SessionId> sessions) implements Effect {}

    record Notify(SessionId session, Notice notice) implements Effect {}

    /** A session is wanted. */
    record WantSession() implements Effect {}
}
