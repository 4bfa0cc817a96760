package io.dynamolock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.spring.integration.IntegrationLockRegistry;
import io.dynamolock.spring.shedlock.DynamoLockProvider;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.ApplicationContextAssert;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.support.locks.DefaultLockRegistry;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/** The beans for Spring Integration and ShedLock, and when there are none. */
class LocksOfOthersTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(DynamoLockAutoConfiguration.class, DynamoLockAdaptersAutoConfiguration.class))
            .withPropertyValues("dynamolock.store=memory");

    @Configuration(proxyBeanMethods = false)
    @EnableSchedulerLock(defaultLockAtMostFor = "10m")
    static class Jobs {

        @Bean
        Report report() {
            return new Report();
        }
    }

    static class Report {

        private final AtomicInteger runs = new AtomicInteger();

        @SchedulerLock(name = "report")
        public void run() {
            runs.incrementAndGet();
        }

        public int runs() {
            return runs.get();
        }
    }

    @Test
    void springIntegrationFindsItsRegistryWhateverTypeItAsksFor() {
        runner.run(context -> {
            assertThat(context)
                    .hasSingleBean(IntegrationLockRegistry.class)
                    .hasSingleBean(ExpirableLockRegistry.class)
                    .hasSingleBean(RenewableLockRegistry.class)
                    .hasSingleBean(org.springframework.integration.support.locks.LockRegistry.class)
                    .hasSingleBean(LockRegistry.class);
            DistributedLock lock =
                    context.getBean(IntegrationLockRegistry.class).obtain("k");
            lock.lock();
            assertThat(context.getBean(LockRegistry.class).admin().held())
                    .singleElement()
                    .satisfies(held -> assertThat(held.namespace()).isEqualTo("integration"));
            lock.unlock();
        });
    }

    @Test
    void aScheduledMethodOfShedLockIsSkippedWhileItsLockIsTaken() {
        runner.withUserConfiguration(Jobs.class).run(context -> {
            Report report = context.getBean(Report.class);
            LockRegistry locks = context.getBean(LockRegistry.class);
            try (var taken = locks.tryAcquire(LockRequest.of("report").namespace("shedlock"))
                    .orElseThrow()) {
                report.run();
                assertThat(report.runs()).isZero();
                assertThat(taken.isValid()).isTrue();
            }
            report.run();
            assertThat(report.runs()).isEqualTo(1);
            assertThat(locks.admin().held()).isEmpty();
        });
    }

    @Test
    void anApplicationsSpringIntegrationRegistryIsKept() {
        runner.withBean(DefaultLockRegistry.class)
                .run(context -> assertThat(context)
                        .doesNotHaveBean(IntegrationLockRegistry.class)
                        .hasSingleBean(DynamoLockProvider.class));
    }

    @Test
    void anApplicationsLockProviderIsKept() {
        runner.withBean(LockProvider.class, () -> configuration -> Optional.empty())
                .run(context -> assertThat(context)
                        .doesNotHaveBean(DynamoLockProvider.class)
                        .hasSingleBean(IntegrationLockRegistry.class));
    }

    @Test
    void thereAreNoAdaptersWithoutASinglePrimaryRegistry() {
        LockRegistry one = RegistryBuilder.of(new InMemoryLockStore()).build();
        LockRegistry other = RegistryBuilder.of(new InMemoryLockStore()).build();
        runner.withBean("one", LockRegistry.class, () -> one)
                .withBean("other", LockRegistry.class, () -> other)
                .run(context -> assertNeither(context));
    }

    @Test
    void withoutTheLibrariesThereAreNoAdapters() {
        runner.withClassLoader(new FilteredClassLoader("org.springframework.integration", "net.javacrumbs.shedlock"))
                .run(context -> assertNeither(context).hasSingleBean(LockRegistry.class));
    }

    private static ApplicationContextAssert<?> assertNeither(AssertableApplicationContext context) {
        return assertThat(context)
                .hasNotFailed()
                .doesNotHaveBean("dynamoLockIntegrationRegistry")
                .doesNotHaveBean("dynamoLockProvider");
    }
}
