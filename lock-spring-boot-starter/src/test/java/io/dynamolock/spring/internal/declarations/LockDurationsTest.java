package io.dynamolock.spring.internal.declarations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dynamolock.LockRequest;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LockDurationsTest {

    @ParameterizedTest
    @CsvSource({
        "60s, PT1M",
        "500ms, PT0.5S",
        "2m, PT2M",
        "1h30m, PT1H30M",
        "7d, PT168H",
        "PT1M, PT1M",
        "pt0.25s, PT0.25S",
        "0, PT0S",
        "0s, PT0S",
        "' 5s ', PT5S"
    })
    void readsWhatItSays(String text, Duration expected) {
        assertThat(LockDurations.parse(text)).isEqualTo(expected);
    }

    @Test
    void readsForeverInAnyCase() {
        assertThat(LockDurations.parse("forever")).isEqualTo(LockRequest.FOREVER);
        assertThat(LockDurations.parse("FOREVER")).isEqualTo(LockRequest.FOREVER);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "abc", "5 parsecs", "-1s", "PT-1S", "P", "99999999999999999999d", "60", "1s-"})
    void refusesAnythingElseAndNamesIt(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockDurations.parse(text))
                .withMessageContaining("'" + text + "'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"60", "+60"})
    void doesNotGuessTheUnitOfABareNumber(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockDurations.parse(text))
                .withMessageContaining("60s or " + text + "ms");
    }
}
