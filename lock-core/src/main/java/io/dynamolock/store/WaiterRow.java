package io.dynamolock.store;

import java.time.Instant;
import java.util.Objects;

/**
 * The row of one waiting block: the tickets {@code first} to {@code last}, both included.
 *
 * @param createdAt the writer's wall clock; for people, never for decisions
 */
public record WaiterRow(long first, long last, Claimant claimant, Instant createdAt) {

    public WaiterRow {
        Objects.requireNonNull(claimant, "claimant");
        Objects.requireNonNull(createdAt, "createdAt");
        if (first <= 0 || last < first) {
            throw new IllegalArgumentException("not a run of tickets: " + first + " to " + last);
        }
    }
}
