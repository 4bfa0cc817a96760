package io.dynamolock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LeaderElection.Leadership;
import io.dynamolock.LeaderListener;
import io.dynamolock.LockEvent;
import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.spring.annotation.DynamoLeader;
import io.dynamolock.spring.metrics.LockMeters;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationPredicate;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

class DynamoLockMicrometerAutoConfigurationTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DynamoLockAutoConfiguration.class, DynamoLockMicrometerAutoConfiguration.class))
            .withPropertyValues("dynamolock.store=memory");

    private final ApplicationContextRunner withBootsMeters = runner.withConfiguration(AutoConfigurations.of(
            MetricsAutoConfiguration.class,
            SimpleMetricsExportAutoConfiguration.class,
            CompositeMeterRegistryAutoConfiguration.class));

    @Test
    void aRealLockShowsInBootsMeters() {
        withBootsMeters.run(context -> {
            MeterRegistry meters = context.getBean(MeterRegistry.class);
            LockRegistry locks = context.getBean(LockRegistry.class);
            LockHandle handle = locks.acquire(LockRequest.of("k").name("orders").waitTime(Duration.ofSeconds(10)));
            assertThat(meters.get("dynamolock.held").gauge().value()).isEqualTo(1);
            // The engine counts the caller out just after it has told it.
            Awaitility.await()
                    .untilAsserted(() -> assertThat(
                                    meters.get("dynamolock.waiting").gauge().value())
                            .isZero());
            handle.close();
            Awaitility.await()
                    .untilAsserted(() -> assertThat(count(meters, "dynamolock.hold", "orders", "released"))
                            .isEqualTo(1));
            assertThat(count(meters, "dynamolock.wait", "orders", "acquired")).isEqualTo(1);
            assertThat(meters.get("dynamolock.queue.depth")
                            .tags("name", "orders")
                            .summary()
                            .max())
                    .isZero();
            assertThat(meters.get("dynamolock.held").gauge().value()).isZero();
        });
    }

    @Test
    void aRegistryThatWasGivenTheMetersByHandIsCountedOnce() {
        runner.withBean(SimpleMeterRegistry.class)
                .withUserConfiguration(OwnRegistry.class)
                .run(context -> {
                    MeterRegistry meters = context.getBean(MeterRegistry.class);
                    for (String name : List.of("plain", "withMeters")) {
                        context.getBean(name, LockRegistry.class)
                                .acquire(LockRequest.of("k").name(name))
                                .close();
                        Awaitility.await()
                                .untilAsserted(() -> assertThat(count(meters, "dynamolock.hold", name, "released"))
                                        .isEqualTo(1));
                    }
                    assertThat(meters.get("dynamolock.held").gauge().value()).isZero();
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnRegistry {

        @Bean
        @Primary
        LockRegistry plain() {
            return RegistryBuilder.of(new InMemoryLockStore()).build();
        }

        @Bean
        LockRegistry withMeters(LockMeters meters) {
            return RegistryBuilder.of(new InMemoryLockStore()).listener(meters).build();
        }
    }

    @DynamoLeader("mails")
    static class Leader implements LeaderListener {

        @Override
        public void granted(Leadership leadership) {}
    }

    @Test
    void whoLeadsShowsInBootsMeters() {
        withBootsMeters
                .withConfiguration(AutoConfigurations.of(DynamoLockAspectAutoConfiguration.class))
                .withBean(Leader.class)
                .run(context -> Awaitility.await()
                        .untilAsserted(() -> assertThat(context.getBean(MeterRegistry.class)
                                        .get("dynamolock.leader")
                                        .tags("name", "mails")
                                        .gauge()
                                        .value())
                                .isEqualTo(1)));
    }

    @Test
    void anyMeterRegistryBeanWillDo() {
        runner.withBean(SimpleMeterRegistry.class).run(context -> {
            assertThat(context).hasSingleBean(LockMeters.class);
            assertThat(context.getBean(MeterRegistry.class)
                            .get("dynamolock.waiting")
                            .gauge()
                            .value())
                    .isZero();
        });
    }

    @Test
    void backsOffFromMetersOfTheApplicationAndShowsGaugesInThem() {
        SimpleMeterRegistry own = new SimpleMeterRegistry();
        withBootsMeters
                .withBean("own", LockMeters.class, () -> new LockMeters(own))
                .run(context -> {
                    assertThat(context).hasSingleBean(LockMeters.class);
                    assertThat(own.get("dynamolock.waiting").gauge().value()).isZero();
                });
    }

    @Test
    void withoutMetersOrMicrometerLocksWorkAllTheSame() {
        runner.run(
                context -> assertThat(context).hasSingleBean(LockRegistry.class).doesNotHaveBean(LockMeters.class));
        runner.withClassLoader(new FilteredClassLoader("io.micrometer"))
                .run(context ->
                        assertThat(context).hasSingleBean(LockRegistry.class).doesNotHaveBean("dynamoLockMeters"));
    }

    @Test
    void eachWaitAndHoldIsTimedOnceByItsObservationIfThereIsOne() {
        ApplicationContextRunner observed =
                withBootsMeters.withConfiguration(AutoConfigurations.of(ObservationAutoConfiguration.class));
        observed.run(context -> {
            // Of an election, which is not observed. With fewer tags than an observation has, the timer would be in its
            // way.
            context.getBean(LockMeters.class)
                    .heard(new LockEvent.Acquired("mails", "leader", "mails", 1, Duration.ZERO, false));
            assertThat(context.getBean(MeterRegistry.class)
                            .find("dynamolock.wait")
                            .timers())
                    .isEmpty();
            eachIsTimedOnce(context);
        });
        observed.withPropertyValues("management.observations.enable.dynamolock=false")
                .run(DynamoLockMicrometerAutoConfigurationTest::eachIsTimedOnce);
    }

    @ParameterizedTest
    @ValueSource(strings = {"dynamolock", "dynamolock.wait", "dynamolock.hold"})
    void eachWaitAndHoldIsTimedOnceWhateverSwitchesObservationsOff(String off) {
        withBootsMeters
                .withConfiguration(AutoConfigurations.of(ObservationAutoConfiguration.class))
                .withBean(ObservationPredicate.class, () -> (name, context) -> !name.startsWith(off))
                .run(DynamoLockMicrometerAutoConfigurationTest::eachIsTimedOnce);
    }

    private static long count(MeterRegistry meters, String timer, String name, String outcome) {
        return meters.get(timer).tags("name", name, "outcome", outcome).timer().count();
    }

    private static void eachIsTimedOnce(ApplicationContext context) {
        assertThat(timed(context, "dynamolock.wait")).containsExactly("acquired 1");
        assertThat(timed(context, "dynamolock.hold")).containsExactly("released 1");
    }

    @Test
    void eachWaitAndHoldIsTimedOnceIfTheBuilderHasAnotherObserver() {
        withBootsMeters
                .withConfiguration(AutoConfigurations.of(ObservationAutoConfiguration.class))
                .withBean(LockRegistryBuilderCustomizer.class, () -> builder -> builder.observer(request -> null))
                .run(DynamoLockMicrometerAutoConfigurationTest::eachIsTimedOnce);
    }

    private static List<String> timed(ApplicationContext context, String meter) {
        MeterRegistry meters = context.getBean(MeterRegistry.class);
        if (meters.find(meter).timer() == null) {
            context.getBean(LockRegistry.class)
                    .acquire("k", Duration.ofSeconds(10))
                    .close();
            Awaitility.await().until(() -> meters.find(meter).timer() != null);
        }
        return meters.get(meter).timers().stream()
                .map(timer -> timer.getId().getTag("outcome") + " " + timer.count())
                .toList();
    }
}
