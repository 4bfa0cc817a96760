package io.dynamolock.spring.internal.declarations;

import io.dynamolock.LockRequest;
import io.dynamolock.spring.annotation.DynamoLocked;
import java.time.Duration;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.Assert;

/** How durations are written in {@link DynamoLocked} and in the property {@code dynamolock.wait}. */
public final class LockDurations {

    private LockDurations() {}

    /**
     * Reads {@code 500ms}, {@code 60s}, {@code 1h30m}, {@code PT1M}, {@code 0} or {@code forever} (which gives
     * {@link LockRequest#FOREVER}).
     *
     * @throws IllegalArgumentException naming the text, if it is anything else
     */
    public static Duration parse(String text) {
        String trimmed = text.trim();
        if (trimmed.equalsIgnoreCase("forever")) {
            return LockRequest.FOREVER;
        }
        if (trimmed.matches("\\+?\\d+") && !trimmed.equals("0")) {
            throw new IllegalArgumentException(
                    "'" + text + "' has no unit: write " + trimmed + "s or " + trimmed + "ms");
        }
        Duration duration;
        try {
            duration = DurationFormatterUtils.detectAndParse(trimmed);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a duration: write 500ms, 60s, PT1M, 0 or forever", e);
        }
        Assert.isTrue(!duration.isNegative(), () -> "'" + text + "' is negative");
        return duration;
    }
}
