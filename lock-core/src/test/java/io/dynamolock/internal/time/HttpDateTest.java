package io.dynamolock.internal.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class HttpDateTest {

    private static final String DATE = "Sat, 28 Nov 2026 20:20:00 GMT";
    private static final Instant TIME = Instant.parse("2026-11-28T20:20:00Z");

    @Test
    void eachHeaderTellsItsOwnTimeHoweverTheyAlternate() {
        for (int i = 0; i < 2; i++) {
            assertThat(HttpDate.read(DATE)).isEqualTo(TIME);
            assertThat(HttpDate.read(DATE)).isEqualTo(TIME);
            assertThat(HttpDate.read("Sat, 28 Nov 2026 20:20:01 GMT")).isEqualTo(TIME.plusSeconds(1));
        }
    }

    @Test
    void whatIsNoDateTellsNoTimeNowOrLater() {
        for (int i = 0; i < 2; i++) {
            assertThat(HttpDate.read(DATE)).isEqualTo(TIME);
            assertThat(HttpDate.read("yesterday")).isNull();
            assertThat(HttpDate.read("yesterday")).isNull();
            assertThat(HttpDate.read("")).isNull();
            assertThat(HttpDate.read(null)).isNull();
        }
    }
}
