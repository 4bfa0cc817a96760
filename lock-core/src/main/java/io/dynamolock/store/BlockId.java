package io.dynamolock.store;

import java.util.Objects;
import java.util.UUID;

/**
 * Identifies one block of tickets, and with it every write made on the block's behalf: a repeated or late write is
 * recognised by the id it carries. Never reused.
 */
public record BlockId(UUID value) {

    public BlockId {
        Objects.requireNonNull(value, "value");
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
