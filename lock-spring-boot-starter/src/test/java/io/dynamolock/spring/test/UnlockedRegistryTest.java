package io.dynamolock.spring.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.spring.actuate.DynamoLockActuatorAutoConfiguration;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.OnTimeout;
import io.dynamolock.spring.autoconfigure.DynamoLockAspectAutoConfiguration;
import io.dynamolock.spring.autoconfigure.DynamoLockAutoConfiguration;
import io.dynamolock.spring.autoconfigure.DynamoLockMicrometerAutoConfiguration;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class UnlockedRegistryTest {

    static class Work {

        @DynamoLocked(key = "'k'")
        public String run() {
            return "done";
        }

        @DynamoLocked(key = "'k'", onTimeout = OnTimeout.SKIP)
        public @Nullable String runOrSkip() {
            return "done";
        }
    }

    @Test
    void aLockedMethodJustRuns() {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(AopAutoConfiguration.class, DynamoLockAspectAutoConfiguration.class))
                .withBean(LockRegistry.class, UnlockedRegistry::create)
                .withBean(Work.class)
                .run(context -> {
                    assertThat(context.getBean(Work.class).run()).isEqualTo("done");
                    assertThat(context.getBean(Work.class).runOrSkip()).isEqualTo("done");
                });
    }

    @Test
    void whoeverWantsToWatchItIsServedToo() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DynamoLockAutoConfiguration.class,
                        DynamoLockMicrometerAutoConfiguration.class,
                        DynamoLockActuatorAutoConfiguration.class))
                .withBean(LockRegistry.class, UnlockedRegistry::create)
                .withBean(ObservationRegistry.class, ObservationRegistry::create)
                .run(context -> assertThat(
                                context.getBean(HealthIndicator.class).health().getStatus())
                        .isEqualTo(Status.UNKNOWN));
    }

    @Test
    void grantsEverythingWithRisingTokens() throws Exception {
        LockRegistry locks = UnlockedRegistry.create();
        LockHandle first = locks.acquire("k", Duration.ZERO);
        LockHandle second = locks.tryAcquire("k").orElseThrow();
        assertThat(second.fencingToken()).isGreaterThan(first.fencingToken());
        assertThat(first.isValid()).isTrue();
        assertThat(first.release()).isTrue();
        assertThat(first.isValid()).isFalse();
        assertThat(locks.<String>withLock("k", Duration.ZERO, () -> "result")).isEqualTo("result");
        CompletableFuture<Boolean> ran = new CompletableFuture<>();
        locks.withLock("k", Duration.ZERO, (Runnable) () -> ran.complete(true));
        assertThat(ran).isDone();
        assertThat(locks.<Long, RuntimeException>withLock(LockRequest.of("k"), LockHandle::fencingToken))
                .isGreaterThan(second.fencingToken());
        assertThat(locks.readWrite("k").read().tryAcquire()).isPresent();
        assertThat(locks.permits("k", 3).withLock(Duration.ZERO, () -> "one of three"))
                .isEqualTo("one of three");
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> locks.admin().inspect("k"))
                .withMessageContaining("inspect");
    }
}
