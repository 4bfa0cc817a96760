package io.dynamolock.spring.aspect;

import io.dynamolock.LockListener;
import io.dynamolock.LockObserver;
import io.dynamolock.LockRegistry;
import io.dynamolock.spring.annotation.EnableDynamoLocks;
import io.dynamolock.spring.annotation.LockLostEvent;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
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
    static LockRegistryLifecycle dynamoLockRegistryLifecycle(
            ConfigurableApplicationContext context,
            ObjectProvider<LockRegistry> registry,
            ObjectProvider<LockListener> listeners,
            ObjectProvider<LockObserver> observer) {
        return new LockRegistryLifecycle(context, registry, listeners, observer);
    }

    /** Spring's smallest proxy creator passes by all other advisors, in silence. */
    @Bean
    static BeanFactoryPostProcessor dynamoLockedAdvisorRole() {
        return beans -> Stream.of(beans.getBeanNamesForType(DynamoLockedAdvisor.class, true, false))
                .filter(beans::containsBeanDefinition)
                .forEach(name -> beans.getBeanDefinition(name).setRole(BeanDefinition.ROLE_INFRASTRUCTURE));
    }

    @Bean
    static LockEventPublisher dynamoLockEventPublisher(ApplicationEventPublisher publisher) {
        return new LockEventPublisher(publisher);
    }
}
