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
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.aop.framework.autoproxy.InfrastructureAdvisorAutoProxyCreator;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.MapPropertySource;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** {@link EnableDynamoLocks} where there are transactions, and where the starter is. */
@ExtendWith(OutputCaptureExtension.class)
class EnabledBesideTheStarterTest {

    private static final String IGNORED = "so these properties have no effect on them: ";

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

    @Test
    void propertiesThatTheAnnotationReplacesAreWarnedOf(CapturedOutput output) {
        ApplicationContextRunner starter = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        AopAutoConfiguration.class,
                        DynamoLockAutoConfiguration.class,
                        DynamoLockAspectAutoConfiguration.class))
                .withPropertyValues("dynamolock.store=memory", "dynamolock.persistence-context=fail");
        starter.run(context -> assertThat(context).hasNotFailed());
        starter.withUserConfiguration(AtTransactionEnd.class)
                .withPropertyValues("dynamolock.lease=30s")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(output)
                            .containsOnlyOnce(IGNORED
                                    + "dynamolock.persistence-context (say persistenceContext in the annotation).");
                });
    }

    @Configuration
    @EnableDynamoLocks(waitTime = "${dynamolock.wait}")
    static class WaitOfTheProperty {}

    @Test
    void propertiesThatTheAnnotationReplacesAreWarnedOfWithoutTheStarterToo(CapturedOutput output) {
        Map<String, Object> properties = Map.of("dynamolock.wait", "5s", "dynamolock.aspect.order", "7");
        startWith(properties, WaitOfTheProperty.class);
        assertThat(output).containsOnlyOnce(IGNORED + "dynamolock.aspect.order (say order in the annotation).");

        startWith(properties, AtMethodEnd.class);
        assertThat(output)
                .containsOnlyOnce(IGNORED + "dynamolock.wait (say waitTime in the annotation),"
                        + " dynamolock.aspect.order (say order in the annotation).");
    }

    @Test
    void nothingIsWarnedOfWhereNoSuchPropertyIsSet(CapturedOutput output) {
        startWith(Map.of("dynamolock.messages.show-keys", "true"), AtMethodEnd.class);
        assertThat(output).doesNotContain(IGNORED);
    }

    private static void startWith(Map<String, Object> properties, Class<?> settings) {
        try (var context = new AnnotationConfigApplicationContext()) {
            context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", properties));
            context.register(settings, FakeLockRegistry.class, Orders.class);
            context.refresh();
        }
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
