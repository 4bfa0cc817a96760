package io.dynamolock.internal.engine;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.Notice;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.Found;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.time.Moment;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What happens to a lock, as its process sees it. */
sealed interface Event {

    /** Takes each event to the method for its kind. */
    interface Visitor {

        void arrived(Arrived event);

        void waitOver(WaitOver event);

        void abandoned(Abandoned event);

        void released(Released event);

        void releasedEarly(ReleasedEarly event);

        void forced(Forced event);

        void dataPutWanted(DataPutWanted event);

        void downgradeWanted(DowngradeWanted event);

        void edited(Edited event);

        void editFailed(EditFailed event);

        void read(Read event);

        void readFailed(ReadFailed event);

        void shown(Shown event);

        void sessionBegan(SessionBegan event);

        void sessionOver(SessionOver event);

        void noSession(NoSession event);

        void notified(Notified event);

        void woke(Woke event);

        void closing(Closing event);
    }

    void accept(Visitor visitor);

    /**
     * Whether the decision on the event may wait for other such events of the same lock that have come already, so that
     * one decision, and perhaps one write, serves all of them. Only events that callers cause say yes.
     */
    default boolean mayBeBatched() {
        return false;
    }

    /** A caller wants the lock. */
    record Arrived(WaitingCaller waiter) implements Event {

        @Override
        public boolean mayBeBatched() {
            return true;
        }

        @Override
        public void accept(Visitor visitor) {
            visitor.arrived(this);
        }
    }

    /** The time that a caller is willing to wait is over. */
    record WaitOver(WaitingCaller waiter) implements Event {

        @Override
        public boolean mayBeBatched() {
            return true;
        }

        @Override
        public void accept(Visitor visitor) {
            visitor.waitOver(this);
        }
    }

    /** A waiter does not want the lock any more. */
    record Abandoned(WaitingCaller waiter) implements Event {

        @Override
        public boolean mayBeBatched() {
            return true;
        }

        @Override
        public void accept(Visitor visitor) {
            visitor.abandoned(this);
        }
    }

    /**
     * A holder has released the lock, and nothing keeps the lock any longer.
     *
     * @param dataForNext the data that the next holder is to find; {@code null} to leave the data as it is
     * @param isFenceGiven whether the holder has taken the condition that makes its transactions safe
     * @param terms whether the holder awaits its release, and for how long the entry may stay in the queue
     */
    record Released(Hold hold, @Nullable LockData dataForNext, boolean isFenceGiven, ReleaseTerms terms)
            implements Event {

        @Override
        public boolean mayBeBatched() {
            return true;
        }

        @Override
        public void accept(Visitor visitor) {
            visitor.released(this);
        }
    }

    /**
     * A holder has released the lock before its shortest hold is over. The lock stays taken until a {@link Released}
     * follows.
     *
     * @param dataForNext as in {@link Released}
     * @param isFenceGiven as in {@link Released}
     */
    record ReleasedEarly(Hold hold, @Nullable LockData dataForNext, boolean isFenceGiven) implements Event {

        @Override
        public boolean mayBeBatched() {
            return true;
        }

        @Override
        public void accept(Visitor visitor) {
            visitor.releasedEarly(this);
        }
    }

    /**
     * A holder has lost the lock, though its process may still hold other locks: its longest hold is over, or its
     * release has found the session over.
     */
    record Forced(Hold hold, LossReason reason) implements Event {

        @Override
        public void accept(Visitor visitor) {
            visitor.forced(this);
        }
    }

    /** A holder wants this data written. */
    record DataPutWanted(Hold hold, LockData data) implements Event {

        @Override
        public void accept(Visitor visitor) {
            visitor.dataPutWanted(this);
        }
    }

    /** A writer wants to go on as a reader. */
    record DowngradeWanted(Hold hold) implements Event {

        @Override
        public void accept(Visitor visitor) {
            visitor.downgradeWanted(this);
        }
    }

    /** The store has answered an edit. */
    record Edited(SentEdit call, Answer<LockItem> answer) implements Event {

        LockItem item() {
            return answer.item();
        }

        boolean isApplied() {
            return answer.isApplied();
        }

        @Override
        public void accept(Visitor visitor) {
            visitor.edited(this);
        }
    }

    /** An edit has failed. The failure says whether the edit may still land. */
    record EditFailed(SentEdit call, StoreFailure failure) implements Event {

        @Override
        public void accept(Visitor visitor) {
            visitor.editFailed(this);
        }
    }

    /** The store has answered a read. */
    record Read(SentRead call, Found<LockItem> answer) implements Event {

        LockItem item() {
            return answer.content();
        }

        @Override
        public void accept(Visitor visitor) {
            visitor.read(this);
        }
    }

    /** A read has failed. */
    record ReadFailed(SentRead call, StoreFailure failure) implements Event {

        @Override
        public void accept(Visitor visitor) {
            visitor.readFailed(this);
        }
    }

    /**
     * A call that the engine has not made itself, for an operator, say, has shown the item as it was after the sending.
     */
    record Shown(Found<LockItem> answer, Moment sentAt) implements Event {

        LockItem item() {
            return answer.content();
        }

        @Override
        public void accept(Visitor visitor) {
            visitor.shown(this);
        }
    }

    /**
     * The process has a new session.
     *
     * @param numbers the numbers for the session's entries, shared by all locks of the process
     */
    record SessionBegan(SessionId id, EntryNumbers numbers) implements Event {

        @Override
        public void accept(Visitor visitor) {
            visitor.sessionBegan(this);
        }
    }

    /** The process's session is over, and with it every hold and every own entry. */
    record SessionOver() implements Event {

        @Override
        public void accept(Visitor visitor) {
            visitor.sessionOver(this);
        }
    }

    /** The process has no session, and beginning one has failed. */
    record NoSession(StoreFailure failure) implements Event {

        @Override
        public void accept(Visitor visitor) {
            visitor.noSession(this);
        }
    }

    /** Another process or an operator has left a notice about an entry of this process. */
    record Notified(Notice notice) implements Event {

        @Override
        public void accept(Visitor visitor) {
            visitor.notified(this);
        }
    }

    /** The time has come at which the state wanted to be woken, or more is known of other processes' sessions. */
    record Woke() implements Event {

        @Override
        public void accept(Visitor visitor) {
            visitor.woke(this);
        }
    }

    /**
     * The engine closes: nobody waits for the lock or holds it here any more.
     *
     * @param reason why holders lose the lock
     * @param kept the holders for which the lock stays taken, and until when by the store's clock
     */
    record Closing(LossReason reason, Map<Hold, Instant> kept) implements Event {

        @Override
        public void accept(Visitor visitor) {
            visitor.closing(this);
        }
    }
}
