package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.Notice;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.StoreFailure;
import java.util.List;

/** What is to be done about the own session. */
sealed interface SessionEffect {

    /** Takes each effect to the method for its kind. */
    interface Visitor {

        void sendBegin(SendBegin effect);

        void sendHeartbeat(SendHeartbeat effect);

        void delete(Delete effect);

        void began(Began effect);

        void notBegun(NotBegun effect);

        void over(Over effect);

        void noticesFound(NoticesFound effect);
    }

    void accept(Visitor visitor);

    /** The beginning of a session is to be sent. */
    record SendBegin(SentBegin call) implements SessionEffect {

        @Override
        public void accept(Visitor visitor) {
            visitor.sendBegin(this);
        }
    }

    /** A heartbeat is to be sent. */
    record SendHeartbeat(SentHeartbeat call) implements SessionEffect {

        @Override
        public void accept(Visitor visitor) {
            visitor.sendHeartbeat(this);
        }
    }

    /**
     * The session's item is to be deleted.
     *
     * @param isCertain whether there is an item for certain: then the deletion is sent now, and repeated until it is
     *     answered. Otherwise it is sent when another session has begun, if there is an item then: an outage of hours
     *     would leave thousands of deletions to repeat. TTL removes an item that is left over
     */
    record Delete(SessionId id, boolean isCertain) implements SessionEffect {

        @Override
        public void accept(Visitor visitor) {
            visitor.delete(this);
        }
    }

    /** A session has begun. */
    record Began(Validity validity) implements SessionEffect {

        @Override
        public void accept(Visitor visitor) {
            visitor.began(this);
        }
    }

    /** Beginning a session has failed. */
    record NotBegun(StoreFailure failure) implements SessionEffect {

        @Override
        public void accept(Visitor visitor) {
            visitor.notBegun(this);
        }
    }

    /**
     * The session is over. Its item is to be deleted when its holders have had a moment to hear of it, unless another
     * process has expired the session: then there is no item left.
     */
    record Over(SessionId id, SessionEnd end) implements SessionEffect {

        @Override
        public void accept(Visitor visitor) {
            visitor.over(this);
        }
    }

    /** The answer to a heartbeat has shown notices that others have left in the session's item. */
    record NoticesFound(List<Notice> notices) implements SessionEffect {

        @Override
        public void accept(Visitor visitor) {
            visitor.noticesFound(this);
        }
    }
}
