package io.dynamolock.spring.actuate;

import io.dynamolock.LockRegistry;
import io.dynamolock.spring.autoconfigure.DynamoLockAutoConfiguration;
import java.time.Duration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.context.annotation.Bean;

/** The health of locks, when the application has Spring Boot's health. */
@AutoConfiguration(after = DynamoLockAutoConfiguration.class)
@ConditionalOnClass({HealthContributor.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBooleanProperty(name = "dynamolock.enabled", matchIfMissing = true)
@ConditionalOnEnabledHealthIndicator("dynamolock")
@ConditionalOnSingleCandidate(LockRegistry.class)
public final class DynamoLockHealthAutoConfiguration {

    /** The bean's name makes that of the contributor, {@code dynamolock}. */
    @Bean
    @ConditionalOnMissingBean(name = "dynamolockHealthIndicator")
    HealthContributor dynamolockHealthIndicator(LockRegistry locks) {
        return new LockHealthIndicator(locks, System::nanoTime, Duration.ofSeconds(10), Duration.ofSeconds(1));
    }
}
