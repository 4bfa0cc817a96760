package io.dynamolock.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PaceTest {

    private static final Duration MIN = Duration.ofMillis(20);
    private static final Duration MAX = Duration.ofSeconds(1);
    private static final Duration FOR_EVER = Duration.ofDays(1);

    private final Pace pace = new Pace(MIN, MAX);

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void thoseNearTheFrontLookAsOftenAsTheyMayWhateverABlockTakes(int place) {
        assertThat(next(place, 0, 60_000, FOR_EVER)).isEqualTo(MIN);
        assertThat(next(place, 800, 60_000, FOR_EVER)).isEqualTo(MIN);
    }

    @ParameterizedTest
    @CsvSource({"5000, 125", "20000, 500", "40000, 1000", "1000000, 1000"})
    void behindALongHoldTheyAreLateByAFortiethOfIt(long held, long millis) {
        assertThat(next(1, held, 1, FOR_EVER)).isEqualTo(Duration.ofMillis(millis));
        assertThat(next(4, held, 1, FOR_EVER)).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @CsvSource({"5, 150, 50", "6, 150, 100", "14, 150, 500", "5, 10, 20", "100, 150, 1000"})
    void thoseFurtherBackLookAfterAThirdOfTheTimeUntilTheyComeNear(int place, long perBlock, long millis) {
        assertThat(next(place, 0, perBlock, FOR_EVER)).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @CsvSource({"5, 4800, 200", "6, 4800, 400"})
    void aHoldMuchLongerThanThoseBeforeItSlowsThemDown(int place, long held, long millis) {
        assertThat(next(place, held, 100, FOR_EVER)).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @CsvSource({"7, 600, 100", "13, 600, 300"})
    void aFirstThatMayOnlyNotHaveLookedYetSlowsNobodyDown(int place, long held, long millis) {
        assertThat(next(place, held, 100, FOR_EVER)).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @CsvSource({"1, 40, 10", "100, 40, 10", "100, 400, 100", "1, 3, 1", "1, 0, 1", "100, 1, 1"})
    void nobodyLooksSoSeldomThatItsWaitEndsBeforeItsThirdLook(int place, long wait, long millis) {
        assertThat(next(place, 0, 60_000, Duration.ofMillis(wait))).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @CsvSource({"0, 3000", "10000, 2250", "30000, 1500", "60000, 1000", "90000, 750", "900000, 750"})
    void atTheDoorAProcessLooksSoonerTheLongerItHasWaited(long waited, long millis) {
        assertThat(pace.atTheDoor(Duration.ofMillis(waited), FOR_EVER)).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @CsvSource({"400, 100", "0, 1"})
    void nobodysWaitEndsAtTheDoorUnheard(long wait, long millis) {
        assertThat(pace.atTheDoor(Duration.ZERO, Duration.ofMillis(wait))).isEqualTo(Duration.ofMillis(millis));
    }

    private Duration next(int place, long sameFirst, long perBlock, Duration wait) {
        return pace.next(place, Duration.ofMillis(sameFirst), Duration.ofMillis(perBlock), wait);
    }
}
