package io.dynamolock.spring.autoconfigure;

import java.util.function.Supplier;

/** Settings that a builder refused. */
final class InvalidLockSettingsException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private InvalidLockSettingsException(IllegalArgumentException refusal) {
        super(refusal.getMessage(), refusal);
    }

    static <T> T explain(Supplier<T> building) {
        try {
            return building.get();
        } catch (IllegalArgumentException refusal) {
            throw new InvalidLockSettingsException(refusal);
        }
    }
}
