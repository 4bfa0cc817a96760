package io.dynamolock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.dynamolock.LockHandle;
import io.dynamolock.LockMessages;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.LockTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

@Isolated("the setting is the process's")
class HiddenKeysTest {

    private static final String KEY = "customer:alice@example.org";

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(DynamoLockAutoConfiguration.class))
            .withPropertyValues("dynamolock.store=memory", "dynamolock.owner=till-7");

    @AfterEach
    void showAgain() {
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
        runner.withPropertyValues("dynamolock.messages.show-keys=false").run(context -> {
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
        LockMessages.showKeys(false);
        runner.run(context -> assertThat(timeout(context.getBean(LockRegistry.class)))
                .message()
                .contains(KEY, "till-7"));
    }

    /** As docs/operations.md tells operators to compute it. */
    @Test
    void theHashIsTheOneThatOperatorsCompute() {
        assertThat(LockMessages.hash("customer:42", "default")).isEqualTo("422ee2cab862b4a1");
    }
}
