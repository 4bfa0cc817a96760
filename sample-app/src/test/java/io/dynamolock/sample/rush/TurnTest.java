package io.dynamolock.sample.rush;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class TurnTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration MARGIN = Duration.ofMillis(100);

    @Test
    void turnsInTheOrderOfArrivalOvertakeNobody() {
        assertThat(overtakings(turn(0, 10), turn(200, 210), turn(400, 500))).isZero();
        assertThat(overtakings()).isZero();
    }

    @Test
    void eachTurnThatBeganWhileAnEarlierOrderWaitedIsOneOvertaking() {
        assertThat(overtakings(turn(0, 1_000), turn(200, 300), turn(400, 500), turn(600, 1_100)))
                .isEqualTo(2);
    }

    @Test
    void aTurnThatPassesManyIsOneOvertaking() {
        assertThat(overtakings(turn(0, 700), turn(1, 800), turn(2, 900), turn(200, 300)))
                .isOne();
    }

    @Test
    void anOrderThatCameHardlyEarlierIsNotOvertaken() {
        assertThat(overtakings(turn(0, 500), turn(100, 300))).isZero();
        assertThat(overtakings(turn(0, 500), turn(101, 300))).isOne();
    }

    private static int overtakings(Turn... turns) {
        return Turn.overtakings(List.of(turns), MARGIN);
    }

    private static Turn turn(long asked, long begun) {
        return new Turn(START.plusMillis(asked), START.plusMillis(begun));
    }
}
