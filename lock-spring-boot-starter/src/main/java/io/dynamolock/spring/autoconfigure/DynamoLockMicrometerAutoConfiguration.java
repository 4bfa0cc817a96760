package io.dynamolock.spring.autoconfigure;

import io.dynamolock.LockObserver;
import io.dynamolock.LockRegistry;
import io.dynamolock.spring.aspect.DynamoLockedAdvisor;
import io.dynamolock.spring.autoconfigure.DynamoLockProperties.StoreType;
import io.dynamolock.spring.leaders.DynamoLeaders;
import io.dynamolock.spring.metrics.LockMeters;
import io.dynamolock.spring.observation.LockObservations;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Observations and meters, when the application has registries for them. */
@AutoConfiguration(
        after = {
            DynamoLockAutoConfiguration.class,
            DynamoLockDisabledAutoConfiguration.class,
            DynamoLockAspectAutoConfiguration.class
        },
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
            // The same in Spring Boot 3.
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration"
        })
public final class DynamoLockMicrometerAutoConfiguration {

    /** Observations, of which Micrometer makes traces and timers. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ObservationRegistry.class)
    @ConditionalOnSingleCandidate(ObservationRegistry.class)
    @EnableConfigurationProperties(DynamoLockProperties.class)
    static class Observations {

        @Bean
        @ConditionalOnMissingBean(LockObserver.class)
        LockObservations dynamoLockObservations(ObservationRegistry observations, DynamoLockProperties properties) {
            return new LockObservations(observations, properties.observation().showKeys());
        }
    }

    /** The meters, without the timers that observations make already. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    @ConditionalOnSingleCandidate(MeterRegistry.class)
    static class Meters {

        @Bean
        @ConditionalOnMissingBean
        LockMeters dynamoLockMeters(MeterRegistry meters, ObjectProvider<LockObservations> observations) {
            LockObservations observer = observations.getIfAvailable();
            return observer == null ? new LockMeters(meters) : new LockMeters(meters, observer::observes);
        }

        @Bean
        EarlierReadsCounter dynamoLockEarlierReads(MeterRegistry meters) {
            return new EarlierReadsCounter(meters);
        }

        /**
         * Runs when all beans exist: earlier, the names of locked methods are unknown, and beans would depend on each
         * other in a circle. Not a {@code MeterBinder}, because an application with a meter registry may lack the
         * auto-configuration that applies binders.
         */
        @Bean
        SmartInitializingSingleton dynamoLockGauges(
                LockMeters meters,
                EarlierReadsCounter earlierReads,
                MeterRegistry meterRegistry,
                ObjectProvider<LockRegistry> locks,
                ObjectProvider<DynamoLeaders> leaders,
                ObjectProvider<DynamoLockedAdvisor> advisor,
                Environment environment) {
            // Bound by itself, because other properties of the locks may be missing or wrong where the application has
            // a registry of its own.
            StoreType store = Binder.get(environment)
                    .bind("dynamolock.store", StoreType.class)
                    .orElse(StoreType.DYNAMODB);
            return () -> {
                locks.ifUnique(registry -> {
                    if (store == StoreType.EMBEDDED) {
                        excludeNobody(meterRegistry);
                    }
                    meters.registerGauges(registry);
                });
                leaders.ifUnique(meters::registerGauges);
                advisor.ifUnique(known -> known.lockNames().forEach(name -> {
                    meters.registerCounters(name);
                    earlierReads.register(name);
                }));
            };
        }

        /** To be called before the gauges of the locks are registered: they have a table, but it is in this process. */
        private static void excludeNobody(MeterRegistry meters) {
            Gauge.builder("dynamolock.excludes", () -> 0)
                    .description("0 because the table of the locks is in this process")
                    .register(meters);
        }
    }
}
