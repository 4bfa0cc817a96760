package io.dynamolock.spring.internal.registry;

import io.dynamolock.LockListener;
import io.dynamolock.LockObserver;
import io.dynamolock.spring.annotation.EnableDynamoLocks;
import io.dynamolock.spring.annotation.LockLostEvent;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;

/**
 * Gives every {@link io.dynamolock.LockRegistry} bean of an application context, whoever made it, the {@link
 * LockListener} beans and the {@link LockObserver} bean, if there is one. Has {@link LockLostEvent} and the other
 * Spring events published, and closes the registries in time. Imported by {@link EnableDynamoLocks} and by the
 * auto-configuration.
 */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public final class LockRegistryConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LockRegistryLifecycle dynamoLockRegistryLifecycle(
            ConfigurableApplicationContext context,
            ObjectProvider<LockListener> listeners,
            ObjectProvider<LockObserver> observer) {
        return new LockRegistryLifecycle(context, listeners, observer);
    }

    @Bean
    static LockEventPublisher dynamoLockEventPublisher(ApplicationEventPublisher publisher) {
        return new LockEventPublisher(publisher);
    }
}
