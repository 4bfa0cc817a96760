package io.dynamolock.spring.autoconfigure;

import io.dynamolock.LockRegistry;
import io.dynamolock.spring.aspect.DynamoLeaders;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** The elections behind {@code @DynamoLeader}. */
@AutoConfiguration(after = DynamoLockAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "dynamolock.enabled", matchIfMissing = true)
@ConditionalOnBean(LockRegistry.class)
public final class DynamoLeaderAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    DynamoLeaders dynamoLeaders(ConfigurableListableBeanFactory beans, ObjectProvider<LockRegistry> registry) {
        return new DynamoLeaders(beans, registry::getObject);
    }
}
