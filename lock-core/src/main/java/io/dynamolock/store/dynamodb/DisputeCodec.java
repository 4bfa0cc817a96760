package io.dynamolock.store.dynamodb;

import io.dynamolock.store.BlockId;
import io.dynamolock.store.Dispute;
import io.dynamolock.store.LockKey;
import java.util.Optional;
import java.util.UUID;

/**
 * A dispute as one string: {@code <block id>|<namespace>/<key>}. Needs no escapes: the id has a fixed length and a
 * namespace no slash, so the first slash after the id ends the namespace and the key is all the rest.
 */
final class DisputeCodec {

    private static final int ID_LENGTH = 36;

    private DisputeCodec() {}

    static String encode(Dispute dispute) {
        return dispute.block() + "|" + dispute.key().namespace() + "/"
                + dispute.key().key();
    }

    /** Empty for a string that {@link #encode} never made. */
    static Optional<Dispute> decode(String text) {
        int slash = text.indexOf('/');
        if (slash <= ID_LENGTH || text.charAt(ID_LENGTH) != '|') {
            return Optional.empty();
        }
        try {
            BlockId block = new BlockId(UUID.fromString(text.substring(0, ID_LENGTH)));
            LockKey key = new LockKey(text.substring(slash + 1), text.substring(ID_LENGTH + 1, slash));
            return Optional.of(new Dispute(key, block));
        } catch (IllegalArgumentException notAnId) {
            return Optional.empty();
        }
    }
}
