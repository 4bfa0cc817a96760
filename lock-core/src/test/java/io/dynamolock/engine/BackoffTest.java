package io.dynamolock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.store.StoreFailure;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackoffTest {

    private static final RandomGenerator LOWEST = () -> 0;
    private static final RandomGenerator HIGHEST = () -> -1;

    @ParameterizedTest
    @CsvSource({"1, 50", "2, 100", "3, 200", "4, 400", "5, 800", "6, 1600", "7, 1600", "1000000, 1600"})
    void doublesWithEachFailureUpToAMaximum(int failures, long millis) {
        assertThat(new Backoff(LOWEST).delay(failures)).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @CsvSource({"THROTTLED, 1, 20", "THROTTLED, 40, 20", "CONFLICTED, 40, 20", "UNAVAILABLE, 1, 50", "REFUSED, 2, 100"})
    void anUrgentCallThatWasThrottledOrMetATransactionIsAlwaysRepeatedQuickly(
            StoreFailure.Kind kind, int failures, long millis) {
        StoreFailure failure = new StoreFailure(kind, "no", null);

        assertThat(new Backoff(LOWEST).urgentDelay(failures, failure)).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @CsvSource({
        "CONFLICTED, 1, 20",
        "CONFLICTED, 2, 40",
        "CONFLICTED, 3, 80",
        "CONFLICTED, 1000, 80",
        "THROTTLED, 6, 1600"
    })
    void aCallThatMeetsTransactionsAgainAndAgainIsStillRepeatedSoon(StoreFailure.Kind kind, int failures, long millis) {
        StoreFailure failure = new StoreFailure(kind, "no", null);

        assertThat(new Backoff(LOWEST).delay(failures, failure)).isEqualTo(Duration.ofMillis(millis));
    }

    @Test
    void jitterTakesAwayAQuarterAtTheMost() {
        Duration second = Duration.ofSeconds(1);

        assertThat(new Backoff(LOWEST).jittered(second)).isEqualTo(second);
        assertThat(new Backoff(HIGHEST).jittered(second))
                .isBetween(Duration.ofMillis(750), Duration.ofMillis(750).plusNanos(1));
    }
}
