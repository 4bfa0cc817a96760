package io.dynamolock.spring;

import io.dynamolock.LockListener;
import io.dynamolock.LockObserver;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;

/**
 * What every {@link io.dynamolock.LockRegistry} bean of an application context gets, whoever made it: the
 * {@link LockListener} beans, the {@link LockObserver} bean if there is one, the {@link LockLostEvent}s and the like, and its end in time. Several of which none is primary stop the start where there is a
 * {@link DynamoLockedAdvisor}. Imported by {@link EnableDynamoLocks} and by the
 * auto-configuration.
 */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public final class LockRegistryConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LockRegistryBeans dynamoLockRegistryBeans(
            ConfigurableListableBeanFactory beans,
            ObjectProvider<LockListener> listeners,
            ObjectProvider<LockObserver> observer) {
        return new LockRegistryBeans(beans, listeners, observer);
    }

    @Bean
    @Lazy(false)
    static OneRegistryCheck dynamoLockOneRegistryCheck(ConfigurableListableBeanFactory beans) {
        return new OneRegistryCheck(beans);
    }

    @Bean
    static LockEventPublisher dynamoLockEventPublisher(ApplicationEventPublisher publisher) {
        return new LockEventPublisher(publisher);
    }

    @Bean
    static LockRegistryLifecycle dynamoLockRegistryLifecycle(
            LockRegistryBeans dynamoLockRegistryBeans, ApplicationContext context) {
        return new LockRegistryLifecycle(dynamoLockRegistryBeans, context);
    }
}
