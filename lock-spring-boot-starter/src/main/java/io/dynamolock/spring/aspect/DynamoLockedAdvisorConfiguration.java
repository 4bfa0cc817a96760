package io.dynamolock.spring.aspect;

import io.dynamolock.spring.internal.validation.ValidationBeforeLock;
import java.util.stream.Stream;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;

/**
 * Makes a {@link DynamoLockedAdvisor} bean work with every proxy creator, whoever declares the bean. Imported by the
 * auto-configurations of the registry and of the aspect.
 */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public final class DynamoLockedAdvisorConfiguration {

    DynamoLockedAdvisorConfiguration() {}

    /** Spring's simplest proxy creator silently ignores advisors of any other role. */
    @Bean
    static BeanFactoryPostProcessor dynamoLockedAdvisorRole() {
        return beans -> Stream.of(beans.getBeanNamesForType(DynamoLockedAdvisor.class, true, false))
                .filter(beans::containsBeanDefinition)
                .forEach(name -> beans.getBeanDefinition(name).setRole(BeanDefinition.ROLE_INFRASTRUCTURE));
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static ValidationBeforeLock dynamoLockValidationBeforeLock() {
        return new ValidationBeforeLock();
    }
}
