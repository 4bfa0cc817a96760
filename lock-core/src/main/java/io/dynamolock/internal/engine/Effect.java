package io.dynamolock.internal.engine;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.Notice;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.StoreFailure;
import java.util.Set;

/** What is to be done about a lock. {@link Engine} does it. What this leads to comes as another event, later. */
sealed interface Effect {

    /** Takes each effect to the method for its kind. */
    interface Visitor {

        void sendEdit(SendEdit effect);

        void sendRead(SendRead effect);

        void queued(Queued effect);

        void foundFull(FoundFull effect);

        void granted(Granted effect);

        void ended(Ended effect);

        void ofHold(OfHold effect);

        void watch(Watch effect);

        void sendNotice(SendNotice effect);

        void wantSession(WantSession effect);

        void stayEnded(StayEnded effect);
    }

    void accept(Visitor visitor);

    /** An edit is to be sent. */
    record SendEdit(SentEdit call) implements Effect {

        @Override
        public void accept(Visitor visitor) {
            visitor.sendEdit(this);
        }
    }

    /** A read is to be sent. */
    record SendRead(SentRead call) implements Effect {

        @Override
        public void accept(Visitor visitor) {
            visitor.sendRead(this);
        }
    }

    /**
     * The waiter has a slot of an entry in the queue.
     *
     * @param ticket the ticket that the waiter will have if nobody before it gives up
     * @param ahead how many slots are before the waiter's
     */
    record Queued(WaitingCaller waiter, long ticket, long ahead) implements Effect {

        @Override
        public void accept(Visitor visitor) {
            visitor.queued(this);
        }
    }

    /**
     * The queue is full: the waiter stays outside until there is room.
     *
     * @param ahead how many callers are ahead, as far as this process knows
     */
    record FoundFull(WaitingCaller waiter, long ahead) implements Effect {

        @Override
        public void accept(Visitor visitor) {
            visitor.foundFull(this);
        }
    }

    /** The waiter holds the lock from now on. */
    record Granted(WaitingCaller waiter, Hold hold) implements Effect {

        @Override
        public void accept(Visitor visitor) {
            visitor.granted(this);
        }
    }

    /** The wait is over, and the waiter does not get the lock. */
    record Ended(WaitingCaller waiter, AcquireOutcome outcome) implements Effect {

        @Override
        public void accept(Visitor visitor) {
            visitor.ended(this);
        }
    }

    /** These sessions are to be watched for this lock from now on, and no others. */
    record Watch(Set<SessionId> sessions) implements Effect {

        @Override
        public void accept(Visitor visitor) {
            visitor.watch(this);
        }
    }

    /** A notice is to be left with another process's session. */
    record SendNotice(SessionId session, Notice notice) implements Effect {

        @Override
        public void accept(Visitor visitor) {
            visitor.sendNotice(this);
        }
    }

    /** The lock needs a session. */
    record WantSession() implements Effect {

        @Override
        public void accept(Visitor visitor) {
            visitor.wantSession(this);
        }
    }

    /**
     * An entry has stayed in the queue after a release.
     *
     * @param leftBy the caller that had released the lock
     */
    record StayEnded(AcquireSpec leftBy, StayEnd how) implements Effect {

        @Override
        public void accept(Visitor visitor) {
            visitor.stayEnded(this);
        }
    }

    /** Takes each {@link OfHold} to the method for its kind. */
    interface HoldVisitor {

        void released(ReleaseDone effect);

        void lost(Lost effect);

        void dataWritten(DataWritten effect);

        void dataRefused(DataRefused effect);

        void standsAs(StandsAs effect);
    }

    /** The holder is to be told something about its hold. */
    sealed interface OfHold extends Effect {

        Hold hold();

        void accept(HoldVisitor visitor);

        @Override
        default void accept(Visitor visitor) {
            visitor.ofHold(this);
        }
    }

    /**
     * The release is over, as far as its caller waits for it.
     *
     * @param wasOwn whether the caller still held the lock when it was released; not if others had taken its entry out
     */
    record ReleaseDone(Hold hold, boolean wasOwn) implements OfHold {

        @Override
        public void accept(HoldVisitor visitor) {
            visitor.released(this);
        }
    }

    /** The holder has lost the lock. */
    record Lost(Hold hold, LossReason reason) implements OfHold {

        @Override
        public void accept(HoldVisitor visitor) {
            visitor.lost(this);
        }
    }

    /** The holder's data is written. */
    record DataWritten(Hold hold, LockData data) implements OfHold {

        @Override
        public void accept(HoldVisitor visitor) {
            visitor.dataWritten(this);
        }
    }

    /** The holder's data cannot be written. */
    record DataRefused(Hold hold, StoreFailure why) implements OfHold {

        @Override
        public void accept(HoldVisitor visitor) {
            visitor.dataRefused(this);
        }
    }

    /**
     * The hold has the lock by this entry now. If the entry of a writer is shared now, the writer goes on as a reader.
     */
    record StandsAs(Hold hold, Entry entry) implements OfHold {

        @Override
        public void accept(HoldVisitor visitor) {
            visitor.standsAs(this);
        }
    }
}
