package io.dynamolock.spring.autoconfigure;

import io.dynamolock.LockObserver;
import io.dynamolock.spring.observation.DefaultDynamoLockObservationConvention;
import io.dynamolock.spring.observation.DynamoLockObservationConvention;
import io.dynamolock.spring.observation.LockObservations;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** Observations, when the application has an {@code ObservationRegistry}. */
@AutoConfiguration(
        after = DynamoLockAutoConfiguration.class,
        afterName = "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration")
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBooleanProperty(
        name = {"dynamolock.enabled", "management.observations.enable.dynamolock"},
        matchIfMissing = true)
@ConditionalOnSingleCandidate(ObservationRegistry.class)
@EnableConfigurationProperties(DynamoLockProperties.class)
public final class DynamoLockObservationAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    DynamoLockObservationConvention dynamoLockObservationConvention(DynamoLockProperties properties) {
        return new DefaultDynamoLockObservationConvention(
                properties.observation().showKeys());
    }

    @Bean
    @ConditionalOnMissingBean(LockObserver.class)
    LockObservations dynamoLockObservations(
            ObservationRegistry observations, DynamoLockObservationConvention convention) {
        return new LockObservations(observations, convention);
    }
}
