package io.dynamolock.boot3;

import io.dynamolock.LockRegistry;
import io.dynamolock.internal.admin.LockHealth;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.HealthContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The health of locks, when the application has the Actuator of Spring Boot 3. */
@AutoConfiguration(
        afterName = {
            "io.dynamolock.spring.autoconfigure.DynamoLockAutoConfiguration",
            "io.dynamolock.spring.autoconfigure.DynamoLockDisabledAutoConfiguration"
        })
@ConditionalOnSingleCandidate(LockRegistry.class)
public final class DynamoLockBoot3HealthAutoConfiguration {

    /** Nested, so that nothing of Spring Boot 3 is read unless it is there. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({HealthContributor.class, ConditionalOnEnabledHealthIndicator.class})
    @ConditionalOnEnabledHealthIndicator("dynamolock")
    static class WithHealth {

        /** The name of the contributor, {@code dynamolock}, comes from the name of the bean. */
        @Bean
        @ConditionalOnMissingBean(name = "dynamolockHealthIndicator")
        HealthContributor dynamolockHealthIndicator(LockRegistry locks) {
            return new LockHealthIndicator(LockHealth.of(locks));
        }
    }
}
