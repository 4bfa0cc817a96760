package io.dynamolock.store.dynamodb;

import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.Dispute;
import java.util.Optional;

/**
 * A dispute as one string of its session's item: {@code <digits of the block>|<namespace>/<key>}. Needs no escapes: no
 * digit is a bar and no namespace has a slash, so the first of each ends what it ends, and the key is all the rest.
 */
final class DisputeCodec {

    private DisputeCodec() {}

    /** @throws IllegalArgumentException if the block is another session's, which the string could not tell */
    static String encode(SessionId session, Dispute dispute) {
        if (!dispute.block().session().equals(session)) {
            throw new IllegalArgumentException(
                    "block " + dispute.block() + " is not of the session " + session + ", so that cannot be asked");
        }
        return dispute.block().digits() + "|" + dispute.key().namespace() + "/"
                + dispute.key().key();
    }

    /** Empty for a string that {@link #encode} never made. */
    static Optional<Dispute> decode(SessionId session, String text) {
        int bar = text.indexOf('|');
        int slash = text.indexOf('/', bar + 1);
        if (bar < 0 || slash < 0) {
            return Optional.empty();
        }
        try {
            BlockId block = BlockId.of(session, text.substring(0, bar));
            LockKey key = new LockKey(text.substring(slash + 1), text.substring(bar + 1, slash));
            Dispute dispute = new Dispute(key, block);
            // One that is written in another way could never be taken away.
            return encode(session, dispute).equals(text) ? Optional.of(dispute) : Optional.empty();
        } catch (IllegalArgumentException noBlock) {
            return Optional.empty();
        }
    }
}
