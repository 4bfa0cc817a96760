package io.dynamolock.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.dynamolock.InvalidSettingException;
import io.dynamolock.LockRegistryBuilder;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class InvalidSettingExceptionTest {

    private static List<String> refused(UnaryOperator<LockRegistryBuilder> settings) {
        LockRegistryBuilder builder = settings.apply(RegistryBuilder.of(new InMemoryLockStore()));
        return catchThrowableOfType(InvalidSettingException.class, builder::build)
                .settings();
    }

    @Test
    void namesTheSettingsAtFaultTheOneToChangeFirst() {
        assertThat(refused(builder -> builder.lease(Duration.ofMillis(1)))).containsExactly("lease");
        assertThat(refused(builder -> builder.heartbeat(Duration.ofSeconds(19))))
                .containsExactly("heartbeat", "lease");
        assertThat(refused(builder -> builder.owner(""))).containsExactly("owner");
        assertThat(refused(builder -> builder.pollInterval(Duration.ofSeconds(2), Duration.ofSeconds(1))))
                .containsExactly("pollInterval.max", "pollInterval.min");
    }
}
