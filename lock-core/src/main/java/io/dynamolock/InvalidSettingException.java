package io.dynamolock;

import java.util.List;

/**
 * A setting of a {@link DynamoLocksBuilder} is out of its range, or does not go with another. The message says what to
 * change. Nothing was built, and no lock is affected.
 */
public final class InvalidSettingException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final List<String> settings;

    InvalidSettingException(String message, String... settings) {
        super(message);
        this.settings = List.of(settings);
    }

    /** Has the check done, and names the setting in what it throws. */
    static void check(String setting, Runnable check) {
        try {
            check.run();
        } catch (InvalidSettingException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw new InvalidSettingException(String.valueOf(e.getMessage()), setting);
        }
    }

    /**
     * The settings at fault, by the names of the builder's methods, or of their parameters where a method has two:
     * {@code pollInterval.min}. The one to change first comes first.
     */
    public List<String> settings() {
        return settings;
    }
}
