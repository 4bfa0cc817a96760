package io.dynamolock.store;

import java.util.Objects;

/**
 * Who asks for a lock: a block of a session.
 *
 * @param session the session whose life the claim depends on
 * @param block the block of tickets that asks
 * @param owner a name for people: application, host, process
 */
public record Claimant(SessionId session, BlockId block, String owner) {

    public Claimant {
        Objects.requireNonNull(session, "session");
        Objects.requireNonNull(block, "block");
        Objects.requireNonNull(owner, "owner");
    }
}
