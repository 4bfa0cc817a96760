package io.dynamolock.store.dynamodb;

import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.Eviction;
import java.util.Optional;

/**
 * An eviction as one string of its session's item: {@code <digits of the block>|<callers>|<nonce>|<namespace>/<key>}, both
 * numbers in decimal. Needs no escapes, as that of a dispute needs none.
 */
final class EvictionCodec {

    private static final int PARTS = 4;

    private EvictionCodec() {}

    /** @throws IllegalArgumentException if the block is another session's, which the string could not tell */
    static String encode(SessionId session, Eviction eviction) {
        if (!eviction.block().session().equals(session)) {
            throw new IllegalArgumentException("block " + eviction.block() + " is not of the session " + session
                    + ", so that cannot be told to give it up");
        }
        return eviction.block().digits() + "|" + eviction.callers() + "|" + eviction.nonce() + "|"
                + eviction.key().namespace() + "/" + eviction.key().key();
    }

    /** Empty for a string that {@link #encode} never made. */
    static Optional<Eviction> decode(SessionId session, String text) {
        String[] parts = text.split("\\|", PARTS);
        int slash = parts[parts.length - 1].indexOf('/');
        if (parts.length < PARTS || slash < 0) {
            return Optional.empty();
        }
        try {
            BlockId block = BlockId.of(session, parts[0]);
            String lock = parts[PARTS - 1];
            LockKey key = new LockKey(lock.substring(slash + 1), lock.substring(0, slash));
            Eviction eviction = new Eviction(key, block, Integer.parseInt(parts[1]), Long.parseLong(parts[2]));
            // One that is written in another way could never be taken away.
            return encode(session, eviction).equals(text) ? Optional.of(eviction) : Optional.empty();
        } catch (IllegalArgumentException odd) {
            return Optional.empty();
        }
    }
}
