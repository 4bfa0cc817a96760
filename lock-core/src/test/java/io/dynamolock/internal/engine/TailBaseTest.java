package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.protocol.LockItem;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TailBaseTest {

    private final VirtualTime time = VirtualTime.notAtZero();
    private final TailBase base = new TailBase(time::now);
    private final long clock = base.next();

    @Test
    void aNewItemStartsAfterEveryTailThatWasSeenAndNotBeforeTheClock() {
        base.seen(item(clock - 5));
        assertThat(base.next()).isEqualTo(clock);

        base.seen(item(clock + 100));
        assertThat(base.next()).isEqualTo(clock + 101);

        time.advance(Duration.ofSeconds(1));
        assertThat(base.next()).isEqualTo(clock + 1_000_000);
    }

    @Test
    void aTailFarAheadOfTheClockDoesNotRaiseThoseOfNewItems() {
        base.seen(item(clock + TimeUnit.DAYS.toMicros(365)));

        assertThat(base.next()).isEqualTo(clock);
    }

    private static LockItem item(long tail) {
        return new LockItem(tail, List.of(), 0, LockData.EMPTY);
    }
}
