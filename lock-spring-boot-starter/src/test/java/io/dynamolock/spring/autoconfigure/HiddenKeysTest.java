package io.dynamolock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.dynamolock.LockAdmin;
import io.dynamolock.LockHandle;
import io.dynamolock.LockMessages;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.LockTimeoutException;
import io.dynamolock.spring.actuate.DynamoLockActuatorAutoConfiguration;
import io.dynamolock.spring.unlocked.AlwaysGrantingRegistry;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

@Isolated("the setting is the process's")
class HiddenKeysTest {

    private static final String KEY = "customer:alice@example.org";

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(DynamoLockAutoConfiguration.class, DynamoLockActuatorAutoConfiguration.class))
            .withPropertyValues("dynamolock.store=memory", "dynamolock.owner=till-7");

    private final ApplicationContextRunner hiding = runner.withPropertyValues("dynamolock.messages.show-keys=false");

    @BeforeEach
    @AfterEach
    void show() {
        LockMessages.showKeys(true);
    }

    private static LockTimeoutException timeout(LockRegistry locks) {
        LockRequest request = LockRequest.of(KEY).name("orders").waitTime(Duration.ZERO);
        try (LockHandle held = locks.acquire(request)) {
            assertThat(held.isValid()).isTrue();
            return catchThrowableOfType(LockTimeoutException.class, () -> locks.acquire(request));
        }
    }

    @Test
    void thePropertyTakesKeysAndProcessesOutOfMessagesButNotOutOfAccessors() {
        hiding.run(context -> {
            LockTimeoutException timeout = timeout(context.getBean(LockRegistry.class));
            assertThat(timeout)
                    .message()
                    .contains("lock \"orders\" (#" + LockMessages.hash(KEY, "default") + ")", "held by process #")
                    .doesNotContain("alice", "till-7");
            assertThat(timeout.key()).isEqualTo(KEY);
            assertThat(timeout.holder()).contains("till-7");
        });
    }

    @Test
    void messagesHaveKeysByDefault() {
        runner.run(context -> assertThat(timeout(context.getBean(LockRegistry.class)))
                .message()
                .contains(KEY, "till-7"));
    }

    @Test
    void aSecondContextWithoutThePropertyShowsNoKeysOfTheFirst() {
        hiding.run(first -> runner.run(second -> {
            assertThat(second).hasNotFailed();
            assertThat(timeout(first.getBean(LockRegistry.class))).message().doesNotContain("alice", "till-7");
        }));
        assertThat(LockMessages.key(KEY, "default"))
                .as("both contexts are closed, but a thread may still log")
                .doesNotContain("alice");
        runner.withPropertyValues("dynamolock.messages.show-keys=true")
                .run(context -> assertThat(timeout(context.getBean(LockRegistry.class)))
                        .message()
                        .contains("alice"));
    }

    @Test
    void aTimeoutNamesNoCaller() {
        hiding.run(context -> {
            LockRegistry locks = context.getBean(LockRegistry.class);
            LockRequest request = LockRequest.of(KEY).name("orders").waitTime(Duration.ofMillis(1));
            try (LockHandle held = locks.acquire(request.caller("Alice Smith"))) {
                assertThatThrownBy(() -> locks.acquireAsync(request).join())
                        .hasMessageContaining("This very process holds it, for #")
                        .hasMessageNotContaining("Alice");
                assertThat(held.isValid()).isTrue();
            }
        });
    }

    @Test
    void healthNamesTheProcessOnlyWhereMessagesDo() {
        hiding.run(context -> assertThat(ownerInHealth(context)).startsWith("#").doesNotContain("till-7"));
        runner.withPropertyValues("dynamolock.messages.show-keys=true")
                .run(context -> assertThat(ownerInHealth(context)).isEqualTo("till-7"));
    }

    private static String ownerInHealth(ApplicationContext context) {
        try (LockHandle held = context.getBean(LockRegistry.class).acquire(KEY, Duration.ofSeconds(10))) {
            assertThat(held.isValid()).isTrue();
            Health health = context.getBean(HealthIndicator.class).health(true);
            return ((LockAdmin.Session) health.getDetails().get("session")).owner();
        }
    }

    @Test
    void aRegistryThatLocksNothingHidesKeysToo() {
        hiding.run(context -> {
            LockRegistry locks = AlwaysGrantingRegistry.create();
            LockRequest request = LockRequest.of(KEY).name("orders");
            LockHandle handle = locks.acquire(request);
            assertThat(List.of(handle.toString(), locks.lock(request).toString()))
                    .allMatch(text -> text.contains("[key=#" + LockMessages.hash(KEY, "default") + ", "));
            locks.close();
            assertThatThrownBy(handle::ensureValid).hasMessageContaining("The lock \"orders\" (#");
            assertThatThrownBy(() -> locks.acquire(request)).hasMessageContaining("serve lock \"orders\" (#");
        });
    }

    /** As docs/operations.md tells operators to compute it. */
    @Test
    void theHashIsTheOneThatOperatorsCompute() {
        assertThat(LockMessages.hash("customer:42", "default")).isEqualTo("422ee2cab862b4a1");
    }
}
