package io.dynamolock.boot3;

import io.dynamolock.internal.admin.LockHealth;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;

/** {@link LockHealth} for Spring Boot 3. Thread-safe. */
final class LockHealthIndicator implements HealthIndicator {

    private final LockHealth health;

    LockHealthIndicator(LockHealth health) {
        this.health = health;
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
