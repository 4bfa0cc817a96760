package io.dynamolock.spring.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.FakeLockRegistry;
import io.dynamolock.LockEvent;
import io.dynamolock.LockRequest;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LockMetersTest {

    private static final String KEY = "customer:secret";

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final LockMeters meters = new LockMeters(registry);

    private double seconds(String timer, String outcome) {
        return registry.get(timer)
                .tags("name", "orders", "outcome", outcome)
                .timer()
                .totalTime(TimeUnit.SECONDS);
    }

    @Test
    void timesEveryOutcomeOfAWait() {
        meters.heard(new LockEvent.Acquired(KEY, "n", "orders", 1, Duration.ofSeconds(1), true));
        meters.heard(new LockEvent.TimedOut(KEY, "n", "orders", Duration.ofSeconds(2)));
        meters.heard(new LockEvent.Abandoned(KEY, "n", "orders", Duration.ofSeconds(3)));
        meters.heard(new LockEvent.Evicted(KEY, "n", "orders", Duration.ofSeconds(6)));
        assertThat(seconds("dynamolock.wait", "evicted")).isEqualTo(6);
        assertThat(seconds("dynamolock.wait", "acquired")).isEqualTo(1);
        assertThat(seconds("dynamolock.wait", "timeout")).isEqualTo(2);
        assertThat(seconds("dynamolock.wait", "abandoned")).isEqualTo(3);
    }

    @Test
    void timesHoldsAndCountsLosses() {
        meters.heard(new LockEvent.Released(KEY, "n", "orders", 1, Duration.ofSeconds(4)));
        meters.heard(new LockEvent.Lost(KEY, "n", "orders", 1, Duration.ofSeconds(5), "max-hold"));
        assertThat(seconds("dynamolock.hold", "released")).isEqualTo(4);
        assertThat(seconds("dynamolock.hold", "lost")).isEqualTo(5);
        assertThat(registry.get("dynamolock.lost")
                        .tags("name", "orders", "reason", "max-hold")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void theDepthOfTheQueueIsZeroWithoutQueueing() {
        meters.heard(new LockEvent.Queued(KEY, "n", "orders", 1, 6));
        meters.heard(new LockEvent.Acquired(KEY, "n", "orders", 1, Duration.ofSeconds(1), true));
        meters.heard(new LockEvent.Acquired(KEY, "n", "orders", 2, Duration.ZERO, false));
        var depth = registry.get("dynamolock.queue.depth").tag("name", "orders").summary();
        assertThat(depth.count()).isEqualTo(2);
        assertThat(depth.totalAmount()).isEqualTo(6);
        assertThat(depth.max()).isEqualTo(6);
    }

    @Test
    void countsCallersThatFindTheQueueFullAndRecordsHowManyAreAhead() {
        meters.registerCounters("orders");
        assertThat(registry.get("dynamolock.queue.full")
                        .tag("name", "orders")
                        .counter()
                        .count())
                .isZero();

        meters.heard(new LockEvent.QueueFull(KEY, "n", "orders", 200));

        assertThat(registry.get("dynamolock.queue.full")
                        .tag("name", "orders")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("dynamolock.queue.depth")
                        .tag("name", "orders")
                        .summary()
                        .max())
                .isEqualTo(200);
    }

    @Test
    void countsSessionsLostAndErrorsOfTheStore() {
        meters.heard(new LockEvent.SessionLost("s"));
        meters.heard(new LockEvent.StoreCallFailed("beat", "denied", new IllegalStateException()));
        assertThat(registry.get("dynamolock.sessions.lost").counter().count()).isEqualTo(1);
        assertThat(registry.get("dynamolock.store.errors")
                        .tags("operation", "beat", "kind", "denied")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void aConflictWithAFencedWriteIsCountedByItselfAndNoError() {
        meters.heard(new LockEvent.StoreCallConflicted("edit"));
        assertThat(registry.get("dynamolock.store.conflicts").counter().count()).isEqualTo(1);
        assertThat(registry.find("dynamolock.store.errors").counters()).isEmpty();
    }

    @Test
    void countsThrottledCallsByReasonAndEachReasonIsThereFromTheStart() {
        meters.heard(new LockEvent.Throttled(KEY, "n", "ask", "key-range"));
        meters.heard(new LockEvent.Throttled(null, null, "beat", "key-range"));

        assertThat(registry.get("dynamolock.throttled").counters())
                .extracting(counter -> counter.getId().getTag("reason") + " " + counter.count())
                .containsExactlyInAnyOrder(
                        "key-range 2.0",
                        "table-capacity 0.0",
                        "table-maximum 0.0",
                        "index 0.0",
                        "account 0.0",
                        "unknown 0.0");
    }

    @Test
    void countsUnreadableItemsAndEachCounterIsThereFromTheStart() {
        meters.heard(new LockEvent.Unreadable(KEY, "n", "edit", "lock", "format"));
        meters.heard(new LockEvent.Unreadable(null, null, "read sessions", "session", "malformed"));

        assertThat(registry.get("dynamolock.unreadable").counters())
                .extracting(counter ->
                        counter.getId().getTag("item") + " " + counter.getId().getTag("reason") + " " + counter.count())
                .containsExactlyInAnyOrder(
                        "lock format 1.0", "lock malformed 0.0", "session format 0.0", "session malformed 1.0");
    }

    @Test
    void countsStaysByOutcomeAndEachOutcomeIsThereFromTheStart() {
        meters.registerCounters("orders");
        meters.heard(new LockEvent.StayEnded(KEY, "n", "orders", "came-back"));
        meters.heard(new LockEvent.StayEnded(KEY, "n", "orders", "came-back"));
        meters.heard(new LockEvent.StayEnded(KEY, "n", "orders", "taken"));

        assertThat(registry.get("dynamolock.stay").tag("name", "orders").counters())
                .extracting(counter -> counter.getId().getTag("outcome") + " " + counter.count())
                .containsExactlyInAnyOrder("came-back 2.0", "unused 0.0", "taken 1.0", "cut-short 0.0");
    }

    @Test
    void gaugesWhatIsHeldAndWaitedFor() {
        FakeLockRegistry locks = new FakeLockRegistry();
        meters.registerGauges(locks);
        locks.acquire(LockRequest.of(KEY).waitForever());
        assertThat(registry.get("dynamolock.held").gauge().value()).isEqualTo(1);
        assertThat(registry.get("dynamolock.waiting").gauge().value()).isEqualTo(7);
        assertThat(registry.get("dynamolock.excludes").gauge().value())
                .as("no table")
                .isZero();
    }

    @Test
    void theMetersOfLossesExistBeforeTheFirstLoss() {
        assertThat(registry.get("dynamolock.sessions.lost").counter().count()).isZero();
        meters.registerCounters("orders");
        assertThat(registry.get("dynamolock.lost").tag("name", "orders").counters())
                .extracting(counter -> counter.getId().getTag("reason"))
                .containsExactlyInAnyOrder("session-lost", "max-hold", "taken-away", "evicted", "closed", "paused");
    }

    @Test
    void aGaugeThatKnowsBetterWhetherOthersAreExcludedIsLeftAsItIs() {
        Gauge.builder("dynamolock.excludes", () -> 42).register(registry);
        meters.registerGauges(new FakeLockRegistry());
        assertThat(registry.get("dynamolock.excludes").gauges())
                .singleElement()
                .satisfies(gauge -> assertThat(gauge.value()).isEqualTo(42));
    }

    @Test
    void noTagEverCarriesAKey() {
        timesEveryOutcomeOfAWait();
        timesHoldsAndCountsLosses();
        theDepthOfTheQueueIsZeroWithoutQueueing();
        countsThrottledCallsByReasonAndEachReasonIsThereFromTheStart();
        countsUnreadableItemsAndEachCounterIsThereFromTheStart();
        countsStaysByOutcomeAndEachOutcomeIsThereFromTheStart();
        assertThat(registry.getMeters())
                .flatExtracting(meter -> meter.getId().getTags())
                .noneMatch(tag -> tag.getValue().contains("customer"));
        assertThat(registry.getMeters()).extracting(Meter::getId).isNotEmpty();
    }
}
