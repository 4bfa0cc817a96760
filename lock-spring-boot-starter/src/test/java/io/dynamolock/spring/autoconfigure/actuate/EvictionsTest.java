package io.dynamolock.spring.autoconfigure.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.dynamolock.LockInterruptedException;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockStoreException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;

/** What is recorded of evictions. */
class EvictionsTest {

    private final LockRegistry locks = mock(LockRegistry.class);
    private final List<AuditEvent> recorded = new ArrayList<>();
    private final Evictions evictions =
            new Evictions(locks, event -> recorded.add(((AuditApplicationEvent) event).getAuditEvent()));

    @ParameterizedTest
    @ValueSource(classes = {LockStoreException.class, LockInterruptedException.class})
    void anEvictionOfWhichNobodyKnowsWhetherItWasHeardIsRecorded(Class<? extends Throwable> failure) {
        when(locks.evict("k", "default", "id")).thenThrow(failure);

        assertThatThrownBy(() -> evictions.evict("operator", "k", "default", "id", false))
                .isInstanceOf(failure);

        assertThat(recorded).singleElement().satisfies(event -> {
            assertThat(event.getPrincipal()).isEqualTo("operator");
            assertThat(event.getType()).isEqualTo("DYNAMO_LOCK_EVICTED");
            assertThat(event.getData())
                    .containsEntry("id", "id")
                    .containsEntry("namespace", "default")
                    .containsEntry("outcome", "unknown")
                    .doesNotContainKey("key");
        });
    }

    @Test
    void aPlaceThatIsNotThereAnyMoreIsNotRecorded() {
        when(locks.evict("k", "default", "id")).thenReturn(false);

        assertThat(evictions.evict("operator", "k", "default", "id", false)).isFalse();

        assertThat(recorded).isEmpty();
    }
}
