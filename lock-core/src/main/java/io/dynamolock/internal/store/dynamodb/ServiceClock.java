package io.dynamolock.internal.store.dynamodb;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.SdkHttpResponse;

/** What an answer says about DynamoDB's own wall clock. */
final class ServiceClock {

    private ServiceClock() {}

    /** The time in the answer's {@code Date} header, to the second; {@code null} if it has none that can be read. */
    static @Nullable Instant answeredAt(@Nullable SdkHttpResponse response) {
        String date =
                response == null ? null : response.firstMatchingHeader("Date").orElse(null);
        if (date == null) {
            return null;
        }
        try {
            return Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date));
        } catch (DateTimeException unreadable) {
            return null;
        }
    }
}
