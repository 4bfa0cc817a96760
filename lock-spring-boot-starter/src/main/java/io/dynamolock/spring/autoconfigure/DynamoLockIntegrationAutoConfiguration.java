package io.dynamolock.spring.autoconfigure;

import io.dynamolock.LockRegistry;
import io.dynamolock.spring.integration.IntegrationLockRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/** The lock registry of Spring Integration, unless the application has one. */
@AutoConfiguration(after = DynamoLockAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "dynamolock.enabled", matchIfMissing = true)
@ConditionalOnClass(RenewableLockRegistry.class)
@ConditionalOnSingleCandidate(LockRegistry.class)
@ConditionalOnMissingBean(org.springframework.integration.support.locks.LockRegistry.class)
public final class DynamoLockIntegrationAutoConfiguration {

    @Bean
    IntegrationLockRegistry dynamoLockIntegrationRegistry(LockRegistry locks) {
        return new IntegrationLockRegistry(locks);
    }
}
