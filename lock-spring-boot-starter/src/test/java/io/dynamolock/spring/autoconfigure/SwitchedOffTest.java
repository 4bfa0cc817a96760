package io.dynamolock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.is;

import io.dynamolock.LeaderElection.Leadership;
import io.dynamolock.LeaderListener;
import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockTable;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.spring.actuate.DynamoLockActuatorAutoConfiguration;
import io.dynamolock.spring.annotation.CurrentLock;
import io.dynamolock.spring.annotation.DynamoLeader;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.unlocked.AlwaysGrantingRegistry;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** With {@code dynamolock.enabled=false}, all is there and nobody is excluded. */
@ExtendWith(OutputCaptureExtension.class)
class SwitchedOffTest {

    private static final Duration NO_WAIT = Duration.ZERO;

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    AopAutoConfiguration.class,
                    DynamoLockAutoConfiguration.class,
                    DynamoLockDisabledAutoConfiguration.class,
                    DynamoLockAspectAutoConfiguration.class,
                    DynamoLockAdaptersAutoConfiguration.class,
                    DynamoLockMicrometerAutoConfiguration.class,
                    DynamoLockActuatorAutoConfiguration.class))
            .withBean(SimpleMeterRegistry.class);

    private final ApplicationContextRunner off = application.withPropertyValues("dynamolock.enabled=false");

    static class Counter {

        @DynamoLocked(key = "'counter'", waitTime = "0")
        public int count() {
            return 1;
        }
    }

    @DynamoLeader("mails")
    static class Leader implements LeaderListener {

        final AtomicInteger granted = new AtomicInteger();

        @Override
        public void granted(Leadership leadership) {
            granted.incrementAndGet();
        }
    }

    @Test
    void aRegistryIsInjectedThatExcludesNobodyAndNeedsNoAws() {
        off.run(context -> {
            assertThat(context).hasNotFailed().hasSingleBean(LockRegistry.class);
            assertExcludesNobody(context.getBean(LockRegistry.class));
            assertThat(context.getBean("dynamoLockRegistry"))
                    .as("for code that asks by the name of the registry that locks")
                    .isSameAs(context.getBean(LockRegistry.class));
        });
    }

    private record Customers(DynamoDbClient client) {}

    @Configuration(proxyBeanMethods = false)
    static class InTheDynamoDbOfTheLocks {

        @Bean
        Customers customers(@Qualifier(SelectedClient.STARTER_BEAN) DynamoDbClient client) {
            return new Customers(client);
        }
    }

    @Test
    void clientAndTableOfTheLocksAreThereForCodeThatAsksForThem() {
        off.withPropertyValues("dynamolock.aws.endpoint=http://localhost:1", "dynamolock.table.name=mine")
                .withUserConfiguration(InTheDynamoDbOfTheLocks.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(Customers.class)
                                    .client()
                                    .serviceClientConfiguration()
                                    .endpointOverride())
                            .contains(URI.create("http://localhost:1"));
                    assertThat(context.getBean(LockTable.class).name()).isEqualTo("mine");
                });
    }

    @Test
    void clientAndTableAreMissingWhereTheyAreMissingWithLocksOn() {
        for (ApplicationContextRunner each : List.of(application, off)) {
            each.withPropertyValues("dynamolock.store=memory").run(this::hasNeitherClientNorTable);
            each.withUserConfiguration(OwnRegistry.class).run(this::hasNeitherClientNorTable);
        }
    }

    private void hasNeitherClientNorTable(AssertableApplicationContext context) {
        assertThat(context).hasNotFailed().doesNotHaveBean(LockTable.class).doesNotHaveBean(DynamoDbClient.class);
    }

    private static void assertExcludesNobody(LockRegistry locks) {
        try (LockHandle one = locks.acquire("k", NO_WAIT);
                LockHandle other = locks.acquire("k", NO_WAIT)) {
            assertThat(one.isValid()).isTrue();
            assertThat(other.isValid()).isTrue();
        }
    }

    @Test
    void lockedMethodsRunAndLeadersLead() {
        off.withBean(Counter.class).withBean(Leader.class).run(context -> {
            assertThat(context.getBean(Counter.class).count()).isEqualTo(1);
            await().untilAtomic(context.getBean(Leader.class).granted, is(1));
        });
    }

    @Test
    void shedLocksJobsAndSpringIntegrationsHandlersRun() {
        off.run(context -> {
            LockConfiguration job =
                    new LockConfiguration(Instant.EPOCH, "job", Duration.ofMinutes(1), Duration.ofMinutes(1));
            LockProvider provider = context.getBean(LockProvider.class);
            assertThat(provider.lock(job)).isPresent();
            assertThat(provider.lock(job)).isPresent();
            var handlers = context.getBean(org.springframework.integration.support.locks.LockRegistry.class);
            assertThat(handlers.obtain("k").tryLock()).isTrue();
        });
    }

    @Test
    void itSaysSoOnceAtTheStartAlsoIfBeansAreLazy(CapturedOutput output) {
        off.withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(context -> assertThat(output).containsOnlyOnce("dynamolock.enabled=false: nothing is locked"));
    }

    @Test
    void healthIsUnknownAndSaysWhy() {
        off.run(context -> {
            Health health = context.getBean(HealthIndicator.class).health(true);
            assertThat(health.getStatus()).isEqualTo(Status.UNKNOWN);
            assertThat(health.getDetails().get("problem")).asString().contains("switched off");
            assertThat(health.getDetails().get("action")).asString().contains("DYNAMOLOCK_ENABLED");
        });
    }

    @Test
    void aGaugeTellsWhetherOtherProcessesAreExcluded() {
        off.run(context ->
                assertThat(excludes(context.getBean(MeterRegistry.class))).isZero());
        application
                .withPropertyValues("dynamolock.store=memory")
                .run(context -> assertThat(excludes(context.getBean(MeterRegistry.class)))
                        .isZero());
        ApplicationContextRunner withTable = application.withPropertyValues(
                "dynamolock.aws.endpoint=http://localhost:1", "dynamolock.table.check=never");
        withTable.run(context ->
                assertThat(excludes(context.getBean(MeterRegistry.class))).isEqualTo(1));
        withTable
                .withBean(EmbeddedStore.class, () -> () -> URI.create("http://localhost:1"))
                .withPropertyValues("dynamolock.store=embedded", "dynamolock.table.create=never")
                .run(context -> assertThat(excludes(context.getBean(MeterRegistry.class)))
                        .isZero());
    }

    private static double excludes(MeterRegistry meters) {
        return meters.get("dynamolock.excludes").gauge().value();
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnRegistry {

        @Bean
        @Primary
        LockRegistry own() {
            return RegistryBuilder.of(new InMemoryLockStore()).build();
        }
    }

    @Test
    void anApplicationsOwnRegistryLocksOnlyWhoeverAsksForItByName() {
        off.withUserConfiguration(OwnRegistry.class).withBean(Counter.class).run(context -> {
            assertThat(context.getBean(LockRegistry.class)).isInstanceOf(AlwaysGrantingRegistry.class);
            assertThat(context).hasSingleBean(LockProvider.class);
            try (LockHandle held = context.getBean("own", LockRegistry.class).acquire("counter", NO_WAIT)) {
                assertThat(context.getBean(Counter.class).count()).isEqualTo(1);
                assertThat(held.isValid()).isTrue();
            }
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnRegistryOfTheSameName {

        @Bean
        LockRegistry dynamoLockRegistry() {
            return RegistryBuilder.of(new InMemoryLockStore()).build();
        }
    }

    @Test
    void anOwnRegistryMayHaveTheNameOfTheStarters() {
        off.withUserConfiguration(OwnRegistryOfTheSameName.class)
                .withBean(Counter.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(LockRegistry.class)).isInstanceOf(AlwaysGrantingRegistry.class);
                    assertThat(context.getBean("dynamoLockRegistry")).isNotInstanceOf(AlwaysGrantingRegistry.class);
                    assertThat(context.getBean(Counter.class).count()).isEqualTo(1);
                });
    }

    static class Careful {

        @DynamoLocked(key = "'careful'")
        public void run() {
            CurrentLock.required();
        }

        public void runDirectly() {
            run();
        }
    }

    @Test
    void whoRequiresItsLockFailsForACallThatPassesNoProxyHereToo() {
        off.withBean(Careful.class).run(context -> {
            Careful careful = context.getBean(Careful.class);
            careful.run();
            assertThatIllegalStateException()
                    .isThrownBy(careful::runDirectly)
                    .withMessageContaining("was entered without the lock");
        });
    }

    @Test
    void withoutThePropertyLocksAreOn() {
        application
                .withPropertyValues("dynamolock.store=memory")
                .run(context -> assertThat(context)
                        .doesNotHaveBean(DynamoLockDisabledAutoConfiguration.class)
                        .doesNotHaveBean(AlwaysGrantingRegistry.class));
    }
}
