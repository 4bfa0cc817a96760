package io.dynamolock.boot3;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.actuate.health.Status;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class DynamoLockBoot3HealthAutoConfigurationTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(DynamoLockBoot3HealthAutoConfiguration.class));

    private final ApplicationContextRunner withLocks = runner.withBean(
            LockRegistry.class,
            () -> RegistryBuilder.of(new InMemoryLockStore()).build());

    @Test
    void theseTestsRunOnSpringBoot3() {
        assertThat(SpringBootVersion.getVersion()).startsWith("3.");
    }

    @Test
    void theHealthOfLocksIsToldUnderTheirName() {
        withLocks.run(context -> {
            HealthIndicator indicator = context.getBean("dynamolockHealthIndicator", HealthIndicator.class);
            try (LockHandle held = context.getBean(LockRegistry.class).acquire("k", Duration.ofSeconds(30))) {
                Health health = indicator.health();
                assertThat(held.isValid()).isTrue();
                assertThat(health.getStatus()).isEqualTo(Status.UP);
                assertThat(health.getDetails()).containsEntry("held", 1).containsKeys("table", "session", "waiting");
            }
        });
    }

    @Test
    void aClosedRegistryIsDown() {
        withLocks.run(context -> {
            context.getBean(LockRegistry.class).close();
            Health health = context.getBean(HealthIndicator.class).health();
            assertThat(health.getStatus()).isEqualTo(Status.DOWN);
            assertThat(health.getDetails().get("problem")).asString().contains("closed");
        });
    }

    @Test
    void theHealthOfLocksCanBeSwitchedOff() {
        withLocks
                .withPropertyValues("management.health.dynamolock.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(HealthIndicator.class));
    }

    @Test
    void anIndicatorOfTheApplicationWins() {
        HealthIndicator own = () -> Health.up().build();
        withLocks
                .withBean("dynamolockHealthIndicator", HealthIndicator.class, () -> own)
                .run(context ->
                        assertThat(context.getBean(HealthIndicator.class)).isSameAs(own));
    }

    @Test
    void withoutLocksThereIsNoHealth() {
        runner.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(HealthIndicator.class));
    }
}
