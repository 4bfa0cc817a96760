package io.dynamolock.spring.autoconfigure.actuate;

import io.dynamolock.LockRegistry;
import io.dynamolock.spring.autoconfigure.DynamoLockAutoConfiguration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.context.annotation.Bean;

/** The health of locks, when the application has Spring Boot's health. */
@AutoConfiguration(after = DynamoLockAutoConfiguration.class)
@ConditionalOnClass({HealthContributor.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBooleanProperty(name = "dynamo-lock.enabled", matchIfMissing = true)
@ConditionalOnEnabledHealthIndicator("dynamolock")
@ConditionalOnSingleCandidate(LockRegistry.class)
@EnableConfigurationProperties(DynamoLockHealthProperties.class)
public final class DynamoLockHealthAutoConfiguration {

    /** The bean's name makes that of the contributor, {@code dynamoLock}. */
    @Bean
    @ConditionalOnMissingBean(name = "dynamoLockHealthIndicator")
    HealthContributor dynamoLockHealthIndicator(LockRegistry locks, DynamoLockHealthProperties properties) {
        Executor later = CompletableFuture.delayedExecutor(properties.interval().toNanos(), TimeUnit.NANOSECONDS);
        return new LockHealthIndicator(locks, new TableProbe(locks, thread(), later, properties.timeout()));
    }

    /** A daemon that is there only while it asks. */
    private static Executor thread() {
        ThreadPoolExecutor thread =
                new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(1), task -> {
                    Thread daemon = new Thread(task, "dynamolock-health");
                    daemon.setDaemon(true);
                    return daemon;
                });
        thread.allowCoreThreadTimeOut(true);
        return thread;
    }
}
