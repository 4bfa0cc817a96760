package io.dynamolock.spring.aspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.FakeLockRegistry;
import io.dynamolock.LockRegistry;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.EnableDynamoLocks;
import io.dynamolock.spring.annotation.ReleaseTime;
import io.dynamolock.spring.autoconfigure.DynamoLockAspectAutoConfiguration;
import io.dynamolock.spring.autoconfigure.DynamoLockAutoConfiguration;
import io.dynamolock.spring.internal.registry.LockRegistryLifecycle;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.autoproxy.InfrastructureAdvisorAutoProxyCreator;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** {@link EnableDynamoLocks} where there are transactions, and where the starter is. */
class EnabledBesideTheStarterTest {

    @Configuration
    @EnableDynamoLocks(release = ReleaseTime.METHOD_END)
    static class AtMethodEnd {}

    @Configuration
    @EnableDynamoLocks
    static class AtTransactionEnd {}

    static class Orders {

        @DynamoLocked(key = "'k'")
        public void place() {}
    }

    @Test
    void theLockIsReleasedWhenTheAnnotationSaysSo() {
        assertThat(isReleasedInsideATransaction(AtMethodEnd.class)).isTrue();
        assertThat(isReleasedInsideATransaction(AtTransactionEnd.class)).isFalse();
    }

    private static boolean isReleasedInsideATransaction(Class<?> settings) {
        try (var context = new AnnotationConfigApplicationContext(settings, FakeLockRegistry.class, Orders.class)) {
            TransactionSynchronizationManager.initSynchronization();
            TransactionSynchronizationManager.setActualTransactionActive(true);
            try {
                context.getBean(Orders.class).place();
                return !context.getBean(FakeLockRegistry.class).lastHandle().isValid();
            } finally {
                TransactionSynchronizationManager.clear();
            }
        }
    }

    @Test
    void besideTheStarterThereIsOneAspectAllTheSame() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        AopAutoConfiguration.class,
                        DynamoLockAutoConfiguration.class,
                        DynamoLockAspectAutoConfiguration.class))
                .withPropertyValues("dynamolock.store=memory")
                .withUserConfiguration(AtTransactionEnd.class)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(DynamoLockedAdvisor.class)
                        .hasSingleBean(LockRegistryLifecycle.class)
                        .hasBean("dynamoLockRegistry"));
    }

    @Import(InfrastructureAdvisorAutoProxyCreator.class)
    static class OwnAdvisor {

        /** Without a role. */
        @Bean
        static DynamoLockedAdvisor advisor(ConfigurableBeanFactory beans) {
            return new DynamoLockedAdvisor(beans, () -> beans.getBean(LockRegistry.class), () -> Duration.ofMinutes(1));
        }
    }

    /** The smallest proxy creator passes by advisors without the role, in silence. */
    @Test
    void withoutTheStartersAspectAnAdvisorOfOnesOwnLocksAllTheSame() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(DynamoLockAutoConfiguration.class))
                .withUserConfiguration(OwnAdvisor.class, FakeLockRegistry.class, Orders.class)
                .run(context -> {
                    context.getBean(Orders.class).place();
                    assertThat(context.getBean(FakeLockRegistry.class).requests).hasSize(1);
                });
    }
}
