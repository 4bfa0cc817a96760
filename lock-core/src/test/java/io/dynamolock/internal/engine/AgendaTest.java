package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.loop.EventLoop;
import io.dynamolock.internal.process.LockEngine;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AgendaTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final int CROWD = 5_000;

    @Test
    void theLoopIsFreeForOthersBeforeAllOfACrowdHaveEnded() {
        Bench bench = new Bench();
        bench.grant(bench.processThatHasUsedTheLock());
        LockEngine process = bench.processWithSession();
        List<Acquisition> crowd = IntStream.range(0, CROWD)
                .mapToObj(i -> process.acquire(Bench.exclusive(SECOND)))
                .toList();
        bench.time.advance(Duration.ZERO);
        EventLoop loop = bench.machineOf(process).loop;
        AtomicLong stillWaiting = new AtomicLong();

        // Something that comes up when the times of all are over, as a heartbeat does.
        loop.schedule(() -> loop.execute(() -> stillWaiting.set(countWaiting(crowd))), SECOND);
        bench.time.advance(SECOND.multipliedBy(2));

        assertThat(stillWaiting).hasValueGreaterThanOrEqualTo(CROWD / 2);
        assertThat(countWaiting(crowd)).isZero();
    }

    private static long countWaiting(List<Acquisition> crowd) {
        return crowd.stream().filter(caller -> !caller.outcome().isDone()).count();
    }
}
