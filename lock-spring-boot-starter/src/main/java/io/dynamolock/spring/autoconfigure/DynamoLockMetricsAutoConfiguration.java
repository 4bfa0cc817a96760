package io.dynamolock.spring.autoconfigure;

import io.dynamolock.LockRegistry;
import io.dynamolock.spring.aspect.DynamoLeaders;
import io.dynamolock.spring.aspect.DynamoLockedAdvisor;
import io.dynamolock.spring.metrics.LeaderGauges;
import io.dynamolock.spring.metrics.LockGauges;
import io.dynamolock.spring.metrics.LockMeters;
import io.dynamolock.spring.observation.LockObservations;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/** Meters, when the application has a {@code MeterRegistry}. */
@AutoConfiguration(
        after = {DynamoLockAutoConfiguration.class, DynamoLeaderAutoConfiguration.class},
        afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBooleanProperty(name = "dynamolock.enabled", matchIfMissing = true)
@ConditionalOnSingleCandidate(MeterRegistry.class)
public final class DynamoLockMetricsAutoConfiguration {

    /** Where there are observations, Spring Boot makes the timers of them. */
    @Bean
    LockMeters dynamoLockMeters(MeterRegistry meters, ObjectProvider<LockObservations> observations) {
        return new LockMeters(meters, observations.getIfAvailable() == null);
    }

    /**
     * Bound here, because the application may have meters without what binds binders; last, to cause no cycle, and because the
     * names of locked methods are known when all beans are there.
     */
    @Bean
    SmartInitializingSingleton dynamoLockGauges(
            ObjectProvider<LockRegistry> locks,
            ObjectProvider<DynamoLeaders> leaders,
            ObjectProvider<DynamoLockedAdvisor> advisor,
            LockMeters dynamoLockMeters,
            MeterRegistry meters) {
        return () -> {
            locks.ifUnique(registry -> new LockGauges(registry).bindTo(meters));
            leaders.ifUnique(all -> new LeaderGauges(all).bindTo(meters));
            advisor.ifUnique(known -> known.lockNames().forEach(dynamoLockMeters::expect));
        };
    }
}
