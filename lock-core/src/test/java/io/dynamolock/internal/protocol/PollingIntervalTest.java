package io.dynamolock.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PollingIntervalTest {

    private static final PollingInterval POLLING = new PollingInterval(Duration.ofMillis(5), Duration.ofMillis(250));

    @ParameterizedTest(name = "{0} ahead, first for {1}, {2} an entry, wait {3}: {4}")
    @CsvSource({
        "1, PT0S, PT0S, PT60S, PT0.005S",
        "2, PT0.4S, PT0.06S, PT60S, PT0.02S",
        "1, PT0.2S, PT0S, PT60S, PT0.005S",
        "1, PT6S, PT0S, PT60S, PT0.15S",
        "1, PT10S, PT0S, PT60S, PT0.25S",
        "1, PT3600S, PT0S, PT60S, PT0.25S",
        "10, PT0S, PT0.06S, PT60S, PT0.18S",
        "10, PT0.4S, PT0.01S, PT60S, PT0.15S",
        "100, PT0S, PT1S, PT60S, PT0.25S",
        "100, PT0S, PT1S, PT0.2S, PT0.05S",
        "1, PT0S, PT0S, PT0S, PT0.001S"
    })
    void readsComeSoonForTheNextInLineAndBeforeTheShortestWaitEnds(
            int ahead, Duration sameFirst, Duration perEntry, Duration wait, Duration expected) {
        assertThat(POLLING.next(ahead, sameFirst, perEntry, wait)).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0} known, then {2} gone in {1}: {3}")
    @CsvSource({"PT0S, PT1S, 4, PT0.25S", "PT0.08S, PT0.16S, 1, PT0.09S", "PT1S, PT1S, 93, PT0.08S"})
    void aSlowEntryIsForgottenWhenManyQuickOnesFollow(Duration known, Duration took, int gone, Duration expected) {
        assertThat(PollingInterval.perEntry(known, took, gone)).isEqualTo(expected);
    }
}
