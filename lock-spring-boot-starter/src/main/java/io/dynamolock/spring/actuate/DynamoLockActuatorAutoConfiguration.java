package io.dynamolock.spring.actuate;

import io.dynamolock.LockRegistry;
import io.dynamolock.internal.admin.LockHealth;
import io.dynamolock.spring.autoconfigure.DynamoLockAutoConfiguration;
import io.dynamolock.spring.autoconfigure.DynamoLockDisabledAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.io.ResourceLoader;
import org.springframework.util.ClassUtils;

/** The endpoint {@code dynamolock} and the health of locks, when the application has Spring Boot's Actuator. */
@AutoConfiguration(after = {DynamoLockAutoConfiguration.class, DynamoLockDisabledAutoConfiguration.class})
@ConditionalOnSingleCandidate(LockRegistry.class)
public final class DynamoLockActuatorAutoConfiguration {

    private static final String SPRING_SECURITY = "org.springframework.security.web.SecurityFilterChain";

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
    static class WithActuator {

        /**
         * Nested, so that this class is read only with the Actuator: on JDK 24 and newer, the classes that an
         * annotation names must exist to read it.
         */
        @Configuration(proxyBeanMethods = false)
        @ConditionalOnAvailableEndpoint(endpoint = DynamoLocksEndpoint.class, exposure = EndpointExposure.WEB)
        @EnableConfigurationProperties(DynamoLocksEndpointProperties.class)
        static class OverTheWeb {

            // Not lazy, so that evicting without known users is refused at start.
            @Bean
            @Lazy(false)
            DynamoLocksEndpoint dynamoLocksEndpoint(
                    LockRegistry locks,
                    ApplicationEventPublisher events,
                    DynamoLocksEndpointProperties settings,
                    ResourceLoader application) {
                if (settings.evict() && !ClassUtils.isPresent(SPRING_SECURITY, application.getClassLoader())) {
                    throw new InvalidConfigurationPropertyValueException(
                            "management.endpoint.dynamolock.evict",
                            true,
                            "The endpoint is exposed over HTTP, and Spring Security is not on the class path, so nobody would"
                                    + " know who takes a lock away. Add spring-boot-starter-security, or leave the property"
                                    + " out and call evict of LockRegistry.admin().");
                }
                return new DynamoLocksEndpoint(locks, events, settings);
            }
        }
    }

    /** With Spring Boot 4. The health of Spring Boot 3 has other types: the module lock-spring-boot-3 knows them. */
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
