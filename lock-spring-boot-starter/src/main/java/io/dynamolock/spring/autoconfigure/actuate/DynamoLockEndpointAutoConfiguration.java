package io.dynamolock.spring.autoconfigure.actuate;

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

/** The endpoint {@code dynamolocks}, when the application has Spring Boot's Actuator and exposes it. */
@AutoConfiguration(after = DynamoLockAutoConfiguration.class)
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnBooleanProperty(name = "dynamo-lock.enabled", matchIfMissing = true)
@ConditionalOnAvailableEndpoint(DynamoLocksEndpoint.class)
@ConditionalOnSingleCandidate(LockRegistry.class)
@EnableConfigurationProperties(DynamoLocksEndpointProperties.class)
public final class DynamoLockEndpointAutoConfiguration {

    private static final String SPRING_SECURITY = "org.springframework.security.web.SecurityFilterChain";

    /** That can evict. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBooleanProperty("management.endpoint.dynamolocks.evict")
    static class Evicting {

        @Bean
        Evictions dynamoLockEvictions(LockRegistry locks, ApplicationEventPublisher events) {
            return new Evictions(locks, events);
        }

        @Bean
        EvictingDynamoLocksEndpoint dynamoLocksEndpoint(
                LockRegistry locks, DynamoLocksEndpointProperties properties, Evictions evictions) {
            return new EvictingDynamoLocksEndpoint(locks, InstantSource.system(), properties.showKeys(), evictions);
        }

        // Not lazily: the start is when a set-up in which nobody would be known is to be refused.
        @Bean
        @Lazy(false)
        @ConditionalOnAvailableEndpoint(endpoint = DynamoLocksEndpoint.class, exposure = EndpointExposure.WEB)
        EvictingDynamoLocksWebExtension dynamoLocksWebExtension(
                DynamoLocksEndpoint endpoint,
                Evictions evictions,
                DynamoLocksEndpointProperties properties,
                ResourceLoader application) {
            if (!ClassUtils.isPresent(SPRING_SECURITY, application.getClassLoader())) {
                throw new InvalidConfigurationPropertyValueException(
                        "management.endpoint.dynamolocks.evict",
                        true,
                        "The endpoint is exposed over HTTP, and Spring Security is not on the class path, so nobody would"
                                + " know who takes a lock away. Add spring-boot-starter-security, or leave the property"
                                + " out and call LockAdmin.evict.");
            }
            return new EvictingDynamoLocksWebExtension(endpoint, evictions, properties.roles());
        }
    }

    /** That can only look. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBooleanProperty(
            name = "management.endpoint.dynamolocks.evict",
            havingValue = false,
            matchIfMissing = true)
    static class Looking {

        @Bean
        DynamoLocksEndpoint dynamoLocksEndpoint(LockRegistry locks, DynamoLocksEndpointProperties properties) {
            return new DynamoLocksEndpoint(locks, InstantSource.system(), properties.showKeys());
        }

        @Bean
        DynamoLocksWebExtension dynamoLocksWebExtension(
                DynamoLocksEndpoint endpoint, DynamoLocksEndpointProperties properties) {
            return new DynamoLocksWebExtension(endpoint, properties.roles());
        }
    }
}
