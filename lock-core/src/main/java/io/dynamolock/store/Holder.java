package io.dynamolock.store;

import java.time.Instant;
import java.util.Objects;

/**
 * The block that holds a lock, as the table has it.
 *
 * @param since the holder's wall clock at its grant; for people, never for decisions
 */
public record Holder(Claimant claimant, Instant since) {

    public Holder {
        Objects.requireNonNull(claimant, "claimant");
        Objects.requireNonNull(since, "since");
    }

    public SessionId session() {
        return claimant.session();
    }

    public BlockId block() {
        return claimant.block();
    }

    public String owner() {
        return claimant.owner();
    }
}
