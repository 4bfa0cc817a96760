package io.dynamolock.internal.engine;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.Notice;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.StoreFailure;
import java.time.Instant;
import java.util.Map;
import java.util.function.LongSupplier;

/** What may happen to a lock, as its process sees it. */
sealed interface Event {

    /** Whether a caller has come, or its time has: of these, several may be decided on together. */
    default boolean isOfCaller() {
        return this instanceof Arrived || this instanceof Released || this instanceof WaitOver;
    }

    /** A caller wants the lock. */
    record Arrived(Waiter waiter) implements Event {}

    /** A waiter's time is over. */
    record WaitOver(Waiter waiter) implements Event {}

    /** A waiter does not want the lock any more. */
    record Left(Waiter waiter) implements Event {}

    /** A holder has released the lock. What it leaves to the next is in the hold. */
    record Released(Hold hold) implements Event {}

    /** A holder has lost the lock, though its process may go on: its longest hold is over, or an operator wants the lock. */
    record Forced(Hold hold, LossReason reason) implements Event {}

    /** A holder writes the user's data. */
    record DataPut(Hold hold, LockData data) implements Event {}

    /** A writer goes on as a reader. */
    record Downgraded(Hold hold) implements Event {}

    /** The store has answered an edit. */
    record Edited(SentEdit sent, LockItem item, boolean isApplied) implements Event {}

    /** An edit has failed. It may land all the same, if the failure says so. */
    record EditFailed(SentEdit sent, StoreFailure failure) implements Event {}

    /** The store has answered a read. */
    record Read(SentRead sent, LockItem item) implements Event {}

    /** A read has failed. */
    record ReadFailed(SentRead sent, StoreFailure failure) implements Event {}

    /** The process has a new session, which numbers its entries so. */
    record SessionBegan(SessionId id, LongSupplier nextNumber) implements Event {}

    /** The process's session is over, and with it all that depended on it. */
    record SessionOver() implements Event {}

    /** The process has no session, and beginning one has failed. */
    record NoSession(StoreFailure failure) implements Event {}

    /** Somebody has left a notice about an entry of this process. */
    record Notified(Notice notice) implements Event {}

    /** The time has come that was asked for, or more is known of other processes' sessions. */
    record Woke() implements Event {}

    /**
     * The engine stops: nobody waits and nobody holds any more.
     *
     * @param reason why holders lose the lock
     * @param kept for which holders the lock stays taken, and until when by the store's clock
     */
    record Closing(LossReason reason, Map<Hold, Instant> kept) implements Event {}
}
