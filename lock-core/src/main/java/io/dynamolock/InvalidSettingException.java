package io.dynamolock;

import java.util.List;

/**
 * A setting of a {@link LockRegistryBuilder} is out of its range, or contradicts another. The message says what to
 * change. Nothing was built, and no lock is affected.
 */
public final class InvalidSettingException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final List<String> settings;

    /**
     * @param message what is wrong and what to change
     * @param settings the settings at fault, beginning with the setting to change first
     */
    public InvalidSettingException(String message, String... settings) {
        super(message);
        this.settings = List.of(settings);
    }

    /**
     * The settings at fault, by the names of the builder's methods, or of their parameters where a method has two:
     * {@code pollInterval.min}. Begins with the setting to change first.
     */
    public List<String> settings() {
        return settings;
    }
}
