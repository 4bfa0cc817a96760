package io.dynamolock.internal.time;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** The {@code Date} header of an HTTP answer, which tells the server's wall clock to the second. Thread-safe. */
public final class HttpDate {

    private record Reading(String header, @Nullable Instant date) {}

    /** What was read last: all answers of a second have the same header, and to parse it takes microseconds. */
    private static volatile Reading last = new Reading("", null);

    private HttpDate() {}

    /**
     * @param header the header's value; {@code null} if the answer has none
     * @return {@code null} if there is none or it is unreadable
     */
    public static @Nullable Instant read(@Nullable String header) {
        if (header == null) {
            return null;
        }
        Reading known = last;
        if (!known.header().equals(header)) {
            known = new Reading(header, parse(header));
            last = known;
        }
        return known.date();
    }

    private static @Nullable Instant parse(String header) {
        try {
            return Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(header));
        } catch (DateTimeException unreadable) {
            return null;
        }
    }
}
