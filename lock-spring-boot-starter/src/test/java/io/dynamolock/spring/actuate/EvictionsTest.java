package io.dynamolock.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verifyNoInteractions;
import static org.mockito.Mockito.when;

import io.dynamolock.LockAdmin;
import io.dynamolock.LockClosedException;
import io.dynamolock.LockInterruptedException;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockStoreException;
import io.dynamolock.spring.actuate.Evictions.Attempt;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;

/** What is recorded of evictions. */
class EvictionsTest {

    private static final Attempt ATTEMPT = new Attempt("operator", "customer:42", "billing", "id", false);

    private final LockRegistry locks = mock(LockRegistry.class);
    private final LockAdmin admin = mock(LockAdmin.class);
    private final List<AuditEvent> recorded = new ArrayList<>();
    private final Evictions evictions =
            new Evictions(locks, event -> recorded.add(((AuditApplicationEvent) event).getAuditEvent()));

    @BeforeEach
    void operates() {
        when(locks.admin()).thenReturn(admin);
    }

    @ParameterizedTest
    @ValueSource(classes = {LockStoreException.class, LockInterruptedException.class})
    void anEvictionOfWhichNobodyKnowsWhetherItWasHeardIsRecorded(Class<? extends Throwable> failure) {
        failsWith(failure);
        assertRecorded("unknown");
    }

    @ParameterizedTest
    @ValueSource(classes = {LockClosedException.class, IllegalArgumentException.class})
    void anAttemptThatFailsIsRecorded(Class<? extends Throwable> failure) {
        failsWith(failure);
        assertRecorded("failed");
    }

    @Test
    void anAttemptThatIsRefusedIsRecordedAndComesToNothing() {
        evictions.refuse(ATTEMPT);
        assertRecorded("refused");
        verifyNoInteractions(admin);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPlaceIsToldOrIsNotThereAnyMoreAndEitherIsRecorded(boolean told) {
        when(admin.evict("customer:42", "billing", "id")).thenReturn(told);
        assertThat(evictions.evict(ATTEMPT)).isEqualTo(told);
        assertRecorded(told ? "told" : "gone");
    }

    @Test
    void theRecordHasTheKeyWhereKeysAreShown() {
        evictions.refuse(new Attempt("operator", "customer:42", "billing", "id", true));
        assertThat(recorded.get(0).getData())
                .containsEntry("key", "customer:42")
                .doesNotContainKey("keyHash");
    }

    private void failsWith(Class<? extends Throwable> failure) {
        when(admin.evict("customer:42", "billing", "id")).thenThrow(failure);
        assertThatThrownBy(() -> evictions.evict(ATTEMPT)).isInstanceOf(failure);
    }

    /** The hash is what the command in {@code docs/operations.md} prints. */
    private void assertRecorded(String outcome) {
        assertThat(recorded).singleElement().satisfies(event -> {
            assertThat(event.getPrincipal()).isEqualTo("operator");
            assertThat(event.getType()).isEqualTo("DYNAMOLOCK_EVICTION");
            assertThat(event.getData())
                    .isEqualTo(Map.of(
                            "keyHash", "c1dfa84be6decc01", "namespace", "billing", "id", "id", "outcome", outcome));
        });
    }
}
