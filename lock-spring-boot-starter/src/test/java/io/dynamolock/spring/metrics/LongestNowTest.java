package io.dynamolock.spring.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockAdmin;
import io.dynamolock.LockEvent;
import io.dynamolock.LockRegistry;
import io.dynamolock.StandIn;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LongestNowTest {

    private final MockClock clock = new MockClock();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
    private final LockMeters meters = new LockMeters(registry);
    private final List<LockAdmin.Held> held = new ArrayList<>();
    private final List<LockAdmin.Waiter> waiting = new ArrayList<>();
    private final LockRegistry locks = StandIn.of(LockRegistry.class, (method, arguments) -> admin());

    private LockAdmin admin() {
        return StandIn.of(LockAdmin.class, (method, arguments) -> method.equals("held") ? held : waiting);
    }

    private Instant now() {
        return Instant.ofEpochMilli(clock.wallTime());
    }

    private double seconds(String gauge, String name) {
        return registry.get(gauge).tags("name", name).timeGauge().value(TimeUnit.SECONDS);
    }

    @Test
    void aStuckHolderIsVisibleWhileItHolds() {
        meters.registerGauges(locks);
        meters.registerCounters("orders");
        assertThat(seconds("dynamolock.hold.longest", "orders")).isZero();

        held.add(new LockAdmin.Held("one", "n", "orders", 1, now(), "caller"));
        clock.add(Duration.ofSeconds(90));
        held.add(new LockAdmin.Held("other", "n", "orders", 2, now(), "caller"));
        clock.add(Duration.ofSeconds(10));

        assertThat(seconds("dynamolock.hold.longest", "orders")).isEqualTo(100);
        held.remove(0);
        clock.add(Duration.ofSeconds(2));
        assertThat(seconds("dynamolock.hold.longest", "orders")).isEqualTo(12);
        assertThat(seconds("dynamolock.wait.longest", "orders")).isZero();
    }

    @Test
    void aNameThatNoMethodDeclaresHasItsGaugesWithTheFirstGrantOrWait() {
        meters.registerGauges(locks);
        waiting.add(new LockAdmin.Waiter("k", "n", "by hand", "caller", now()));
        meters.heard(new LockEvent.Queued("k", "n", "by hand", 1, 1));
        clock.add(Duration.ofSeconds(40));

        assertThat(seconds("dynamolock.wait.longest", "by hand")).isEqualTo(40);
        assertThat(seconds("dynamolock.hold.longest", "by hand")).isZero();
    }

    @Test
    void aLeaderAndItsCandidatesAreNotStuck() {
        meters.registerGauges(locks);
        meters.registerCounters("mails");
        held.add(new LockAdmin.Held("mails", "leader", "mails", 1, now(), "caller"));
        waiting.add(new LockAdmin.Waiter("mails", "leader", "mails", "caller", now()));
        clock.add(Duration.ofHours(1));

        assertThat(seconds("dynamolock.hold.longest", "mails")).isZero();
        assertThat(seconds("dynamolock.wait.longest", "mails")).isZero();
    }
}
