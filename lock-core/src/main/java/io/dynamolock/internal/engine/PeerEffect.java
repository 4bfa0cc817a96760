package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.LockKey;

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

    record SendRead(SentSessionRead call) implements PeerEffect {

        @Override
        public void accept(Visitor visitor) {
            visitor.sendRead(this);
        }
    }

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

    /** A session is dead, for whichever locks that matters. */
    record Dead() implements PeerEffect {

        @Override
        public void accept(Visitor visitor) {
            visitor.dead(this);
        }
    }
}
