package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.time.Moment;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BatchingTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Batching batching = new Batching();

    @Test
    void aWaiterIsHeldBackForFiftyMillisecondsOrAQuarterOfItsWait() {
        assertThat(batching.gathering(waiter(MINUTE, 0).gathersUntil(), at(20))).isEqualTo(millis(30));
        assertThat(batching.gathering(waiter(MINUTE, 0).gathersUntil(), at(50))).isZero();
        assertThat(batching.gathering(waiter(millis(40), 0).gathersUntil(), at(4)))
                .isEqualTo(millis(6));
        assertThat(batching.gathering(waiter(Duration.ZERO, 0).gathersUntil(), at(0)))
                .as("a caller that does not wait")
                .isZero();
    }

    @Test
    void theWaiterWhoseTimeComesFirstDecidesForAllAndNoGatheringIsTiny() {
        LineSummary waiters = LineSummary.of(waiter(MINUTE, 0)).plus(LineSummary.of(waiter(millis(40), 2)));

        assertThat(batching.gathering(waiters.gathersUntil(), at(5))).isEqualTo(millis(7));
        assertThat(batching.gathering(waiters.gathersUntil(), at(12).plus(Duration.ofNanos(-1))))
                .isEqualTo(millis(1));
    }

    @Test
    void aProcessThatIsAloneAppendsJustBeforeItsTurnEnds() {
        batching.callTook(millis(5));
        batching.sectionTook(millis(4));
        Moment until = waiter(MINUTE, 0).gathersUntil();

        assertThat(batching.gatheringAlone(until, 3, at(0)))
                .as("three sections, less the call")
                .isEqualTo(millis(7));
        assertThat(batching.gatheringAlone(until, 0, at(0)))
                .as("the turn ends before any answer could come")
                .isEqualTo(millis(5));
    }

    @Test
    void callersThatUsuallyComeBackHaveSpareSlotsUntilTheEngineStops() {
        assertThat(batching.spareSlots(1, at(0))).as("nothing is known yet").isZero();
        for (int i = 0; i < 5; i++) {
            batching.released(at(i));
            batching.arrived(at(i));
        }
        assertThat(batching.spareSlots(1, at(5))).isEqualTo(1);

        batching.close();

        assertThat(batching.spareSlots(1, at(5))).isZero();
    }

    @Test
    void aSlotIsKeptForAMomentAfterItsCallerHasGivenUp() {
        OwnEntry entry = entry(Mode.EXCLUSIVE, false);
        assertThat(batching.spareUntil(entry, at(10))).isEqualTo(at(10));

        batching.gaveUp(Bench.exclusive(Duration.ZERO), at(10));
        assertThat(batching.spareUntil(entry, at(10))).as("it has not waited").isEqualTo(at(10));
        batching.gaveUp(Bench.exclusive(MINUTE), at(10));

        assertThat(batching.spareUntil(entry, at(10))).isEqualTo(at(15));
        assertThat(batching.spareUntil(entry(Mode.SHARED, false), at(10)))
                .as("a reader's slot serves no later caller")
                .isEqualTo(at(10));
    }

    @Test
    void aSpareSlotIsKeptForFiftyMillisecondsFromItsAppend() {
        assertThat(batching.spareUntil(entry(Mode.EXCLUSIVE, true), at(10))).isEqualTo(at(50));
    }

    private static OwnEntry entry(Mode mode, boolean hasSpare) {
        return new OwnEntry(new Entry.OfSession(SessionId.of(1), 1, mode, 1), at(0), 0, hasSpare);
    }

    private static WaitingCaller waiter(Duration wait, long arrivedMillis) {
        return new WaitingCaller(Bench.exclusive(wait), 1, at(arrivedMillis));
    }

    private static Duration millis(long millis) {
        return Duration.ofMillis(millis);
    }

    private static Moment at(long millis) {
        return new Moment(0).plus(millis(millis));
    }
}
