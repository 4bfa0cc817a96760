package io.dynamolock.spring.autoconfigure;

import io.dynamolock.LockRegistry;
import io.dynamolock.spring.DynamoLockedAdvisor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;

/** The aspect behind {@code @DynamoLocked}. */
@AutoConfiguration(after = {AopAutoConfiguration.class, DynamoLockAutoConfiguration.class})
@ConditionalOnBooleanProperty(name = "dynamo-lock.enabled", matchIfMissing = true)
@ConditionalOnBean(LockRegistry.class)
@EnableConfigurationProperties(DynamoLockProperties.class)
public final class DynamoLockAspectAutoConfiguration {

    /** Infrastructure, so that it works with every auto-proxy creator. Static, because it comes before other beans. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean
    static DynamoLockedAdvisor dynamoLockedAdvisor(
            ConfigurableBeanFactory beans, ObjectProvider<LockRegistry> registry, DynamoLockProperties properties) {
        DynamoLockedAdvisor advisor = new DynamoLockedAdvisor(beans, registry::getObject, properties.parsedWait());
        advisor.setOrder(properties.aspect().order());
        return advisor;
    }
}
