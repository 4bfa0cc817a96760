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

    record SendBegin(SentBegin call) implements SessionEffect {

        @Override
        public void accept(Visitor visitor) {
            visitor.sendBegin(this);
        }
    }

    record SendHeartbeat(SentHeartbeat call) implements SessionEffect {

        @Override
        public void accept(Visitor visitor) {
            visitor.sendHeartbeat(this);
        }
    }

    /**
     * The session's item is to be deleted.
     *
     * @param isCertain whether there is such an item, so that the deletion is repeated until it is answered. If not, it
     *     is sent once: in an outage of hours there would be thousands, and TTL removes an item that nobody cares for
     */
    record Delete(SessionId id, boolean isCertain) implements SessionEffect {

        @Override
        public void accept(Visitor visitor) {
            visitor.delete(this);
        }
    }

    record Began(Validity validity) implements SessionEffect {

        @Override
        public void accept(Visitor visitor) {
            visitor.began(this);
        }
    }

    record NotBegun(StoreFailure failure) implements SessionEffect {

        @Override
        public void accept(Visitor visitor) {
            visitor.notBegun(this);
        }
    }

    /** The session is over, and its item is to be deleted when its holders have had a moment to hear of it. */
    record Over(SessionId id, SessionEnd end) implements SessionEffect {

        @Override
        public void accept(Visitor visitor) {
            visitor.over(this);
        }
    }

    /** Others have left notices with the session. */
    record NoticesFound(List<Notice> notices) implements SessionEffect {

        @Override
        public void accept(Visitor visitor) {
            visitor.noticesFound(this);
        }
    }
}
