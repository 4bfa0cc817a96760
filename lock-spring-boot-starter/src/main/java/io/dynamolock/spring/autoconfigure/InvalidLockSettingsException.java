package io.dynamolock.spring.autoconfigure;

import io.dynamolock.InvalidSettingException;
import java.util.List;
import java.util.function.Supplier;

/** Settings that a builder refused, all of which came from properties. */
final class InvalidLockSettingsException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final List<String> settings;

    private InvalidLockSettingsException(InvalidSettingException refusal) {
        super(refusal.getMessage(), refusal);
        this.settings = refusal.settings();
    }

    static <T> T explain(Supplier<T> building) {
        try {
            return building.get();
        } catch (InvalidSettingException refusal) {
            throw new InvalidLockSettingsException(refusal);
        }
    }

    /** As {@link InvalidSettingException#settings()}. */
    List<String> settings() {
        return settings;
    }
}
