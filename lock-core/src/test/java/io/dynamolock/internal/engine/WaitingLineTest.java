package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.time.Moment;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class WaitingLineTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final WaitingLine line = new WaitingLine();
    private final WaitingCaller first = waiter(Kind.EXCLUSIVE, MINUTE, 1);
    private final WaitingCaller second = waiter(Kind.READ, Duration.ZERO, 2);
    private final WaitingCaller third = waiter(Kind.PERMIT, Duration.ofSeconds(1), 3);

    @Test
    void waitersStandInTheOrderOfTheirArrivalUntilTheyLeave() {
        join();
        assertThat(line.inOrder()).containsExactly(first, second, third);

        line.remove(second);

        assertThat(line.inOrder()).containsExactly(first, third);
        assertThat(line.contains(second)).isFalse();
        assertThat(line.wants(Mode.SHARED)).isFalse();
    }

    @Test
    void callersThatDoNotWaitAreInNobodysWayAndShortenNoWait() {
        join();

        assertThat(line.waitingBefore(third)).isEqualTo(1);
        assertThat(line.shortestWait()).hasValue(Duration.ofSeconds(1));
    }

    @Test
    void onlyACallThatWasSentAfterItsArrivalAnswersACaller() {
        join();

        line.shown(at(2), true);

        assertThat(line.inOrder()).filteredOn(WaitingCaller::hasSeenItem).containsExactly(first, second);
        line.shown(at(3), false);
        assertThat(third.isAnswered()).isTrue();
        assertThat(third.hasSeenItem()).as("the item may be old").isFalse();
    }

    @Test
    void aWaiterWhoseTimeIsOverStaysInTheLineUntilItIsAnswered() {
        join();

        line.timeIsOver(first);

        assertThat(line.firstOverdue()).hasValue(first);
        assertThat(line.contains(first)).isTrue();
    }

    private void join() {
        line.add(first);
        line.add(second);
        line.add(third);
    }

    private static WaitingCaller waiter(Kind kind, Duration wait, long arrival) {
        return new WaitingCaller(Bench.spec(kind, wait), arrival, at(arrival));
    }

    private static Moment at(long millis) {
        return new Moment(0).plus(Duration.ofMillis(millis));
    }
}
