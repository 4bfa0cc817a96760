package io.dynamolock.spring.actuate;

import io.dynamolock.LockRegistry;
import io.dynamolock.internal.admin.LockHealth;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** {@link LockHealth} for Spring Boot 4. Thread-safe. */
final class LockHealthIndicator implements HealthIndicator {

    private final LockHealth health;

    LockHealthIndicator(LockHealth health) {
        this.health = health;
    }

    /** As the constructor of {@link LockHealth}. */
    LockHealthIndicator(LockRegistry locks, LongSupplier nanoTime, Duration interval, Duration patience) {
        this(new LockHealth(locks, nanoTime, interval, patience));
    }

    @Override
    public Health health() {
        LockHealth.Verdict verdict = health.judge();
        Health.Builder builder =
                new Health.Builder().status(verdict.status().name()).withDetails(verdict.details());
        return verdict.failure() == null
                ? builder.build()
                : builder.withException(verdict.failure()).build();
    }
}
