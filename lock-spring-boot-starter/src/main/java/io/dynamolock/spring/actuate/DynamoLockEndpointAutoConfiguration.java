package io.dynamolock.spring.actuate;

import io.dynamolock.LockRegistry;
import io.dynamolock.spring.autoconfigure.DynamoLockAutoConfiguration;
import java.time.InstantSource;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.io.ResourceLoader;
import org.springframework.util.ClassUtils;

/** The endpoint {@code dynamolock}, when the application has Spring Boot's Actuator and exposes it. */
@AutoConfiguration(after = DynamoLockAutoConfiguration.class)
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnBooleanProperty(name = "dynamolock.enabled", matchIfMissing = true)
@ConditionalOnAvailableEndpoint(DynamoLocksEndpoint.class)
@ConditionalOnSingleCandidate(LockRegistry.class)
@EnableConfigurationProperties(DynamoLocksEndpointProperties.class)
public final class DynamoLockEndpointAutoConfiguration {

    private static final String SPRING_SECURITY = "org.springframework.security.web.SecurityFilterChain";

    @Bean
    Evictions dynamoLockEvictions(LockRegistry locks, ApplicationEventPublisher events) {
        return new Evictions(locks, events);
    }

    @Bean
    DynamoLocksEndpoint dynamoLocksEndpoint(
            LockRegistry locks, Evictions evictions, DynamoLocksEndpointProperties settings) {
        return new DynamoLocksEndpoint(locks, InstantSource.system(), evictions, settings);
    }

    /** Read only if the Actuator is there: on JDK 24 and newer, to read what its annotation names needs that class. */
    @Configuration(proxyBeanMethods = false)
    static class OverTheWeb {

        // Not lazily: the start is when a set-up in which nobody would be known is to be refused.
        @Bean
        @Lazy(false)
        @ConditionalOnAvailableEndpoint(endpoint = DynamoLocksEndpoint.class, exposure = EndpointExposure.WEB)
        DynamoLocksWebExtension dynamoLocksWebExtension(
                DynamoLocksEndpoint endpoint,
                Evictions evictions,
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
            return new DynamoLocksWebExtension(endpoint, evictions, settings);
        }
    }
}
