package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;

/** What is to be done about other processes' sessions. */
sealed interface PeerEffect {

    /** Takes each effect to the method for its kind. */
    interface Visitor {

        void sendRead(SendRead effect);

        void sendExpiry(SendExpiry effect);

        void alive(Alive effect);

        void dead(Dead effect);
    }

    void accept(Visitor visitor);

    /** A read of sessions is to be sent. */
    record SendRead(SentSessionRead call) implements PeerEffect {

        @Override
        public void accept(Visitor visitor) {
            visitor.sendRead(this);
        }
    }

    /** The expiry of a session is to be sent. */
    record SendExpiry(SentExpiry call) implements PeerEffect {

        @Override
        public void accept(Visitor visitor) {
            visitor.sendExpiry(this);
        }
    }

    /** A session that is watched for this lock is now known to live. */
    record Alive(LockKey key) implements PeerEffect {

        @Override
        public void accept(Visitor visitor) {
            visitor.alive(this);
        }
    }

    /** A session is dead. It may have had entries in the queues of locks for which it is not watched. */
    record Dead(SessionId session) implements PeerEffect {

        @Override
        public void accept(Visitor visitor) {
            visitor.dead(this);
        }
    }
}
