package io.dynamolock.spring.autoconfigure;

import io.dynamolock.LockRegistry;
import io.dynamolock.spring.shedlock.DynamoLockProvider;
import net.javacrumbs.shedlock.core.LockProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/** ShedLock's provider, unless the application has one. */
@AutoConfiguration(after = DynamoLockAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "dynamolock.enabled", matchIfMissing = true)
@ConditionalOnClass(LockProvider.class)
@ConditionalOnSingleCandidate(LockRegistry.class)
@ConditionalOnMissingBean(LockProvider.class)
public final class DynamoLockShedLockAutoConfiguration {

    @Bean
    DynamoLockProvider dynamoLockProvider(LockRegistry locks) {
        return new DynamoLockProvider(locks);
    }
}
