package io.dynamolock.internal.time;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** The {@code Date} header of an HTTP answer, which tells the server's wall clock to the second. */
public final class HttpDate {

    private HttpDate() {}

    /**
     * @param header the header's value; {@code null} if the answer has none
     * @return {@code null} if there is none or it is unreadable
     */
    public static @Nullable Instant read(@Nullable String header) {
        if (header == null) {
            return null;
        }
        try {
            return Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(header));
        } catch (DateTimeException unreadable) {
            return null;
        }
    }
}
