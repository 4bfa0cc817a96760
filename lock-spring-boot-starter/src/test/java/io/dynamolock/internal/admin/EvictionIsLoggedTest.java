package io.dynamolock.internal.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class EvictionIsLoggedTest {

    @AutoClose
    private final LockRegistry locks =
            RegistryBuilder.of(new InMemoryLockStore()).build();

    @Test
    void aRequestForAnEntryThatIsGoneIsNotLoggedAsIfItsProcessWereTold(CapturedOutput output) {
        String id;
        try (LockHandle held = locks.acquire("secret-7", Duration.ZERO)) {
            assertThat(held.isValid()).isTrue();
            id = holder("secret-7");
        }

        assertThat(evict("secret-7", id)).isFalse();

        assertThat(warnings(output))
                .singleElement()
                .asString()
                .contains("The operator \"anna\" asks for the entry \"" + id + "\"")
                .doesNotContain("told", "secret-7");
    }

    @Test
    void theProcessThatGivesTheEntryUpLogsWhoAskedToo(CapturedOutput output) {
        try (LockHandle held = locks.acquire("secret-7", Duration.ZERO)) {
            assertThat(evict("secret-7", holder("secret-7"))).isTrue();
            assertThat(held.isValid()).isFalse();
        }
        assertThat(warnings(output))
                .hasSize(2)
                .allMatch(line -> !line.contains("secret-7"))
                .last()
                .asString()
                .contains("The operator \"anna\" asks this process to give up its entry");
    }

    private String holder(String key) {
        return locks.admin().inspect(key).holder().orElseThrow().id();
    }

    private boolean evict(String key, String id) {
        return locks.admin().evict(key, LockRequest.DEFAULT_NAMESPACE, id, "anna");
    }

    private static List<String> warnings(CapturedOutput output) {
        return output.getOut()
                .lines()
                .filter(line -> line.contains("WARN") && line.contains("anna"))
                .toList();
    }
}
