package io.dynamolock.store;

import java.util.Objects;
import java.util.UUID;

/** Identifies one session: one lease of one process. Never reused. */
public record SessionId(UUID value) {

    public SessionId {
        Objects.requireNonNull(value, "value");
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
