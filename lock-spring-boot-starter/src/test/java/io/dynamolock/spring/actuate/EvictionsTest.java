package io.dynamolock.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verifyNoInteractions;
import static org.mockito.Mockito.when;

import io.dynamolock.LockAdmin;
import io.dynamolock.LockClosedException;
import io.dynamolock.LockInterruptedException;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockSnapshot;
import io.dynamolock.LockStoreException;
import io.dynamolock.data.LockData;
import io.dynamolock.spring.test.UnlockedRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;

/** What is recorded of evictions. */
class EvictionsTest {

    private static final String[] KEY = {"customer:42"};

    private final LockRegistry locks = mock(LockRegistry.class);
    private final LockAdmin admin = mock(LockAdmin.class);
    private final List<AuditEvent> recorded = new ArrayList<>();
    private final SecurityContext operator = mock(SecurityContext.class);

    @BeforeEach
    void operates() {
        when(locks.admin()).thenReturn(admin);
        when(operator.getPrincipal()).thenReturn(() -> "operator");
        when(operator.isUserInRole("OPERATOR")).thenReturn(true);
    }

    private int evict(Show showKeys, String role) {
        DynamoLocksEndpointProperties settings = new DynamoLocksEndpointProperties(showKeys, Set.of(role), true);
        DynamoLocksEndpoint endpoint = new DynamoLocksEndpoint(
                locks, event -> recorded.add(((AuditApplicationEvent) event).getAuditEvent()), settings);
        return endpoint.evict(operator, KEY, "id", "billing").getStatus();
    }

    private int evict() {
        return evict(Show.NEVER, "OPERATOR");
    }

    @ParameterizedTest
    @ValueSource(classes = {LockStoreException.class, LockInterruptedException.class})
    void anEvictionWithoutAnAnswerIsRecordedAsUnknown(Class<? extends Throwable> failure) {
        when(admin.evict("customer:42", "billing", "id", "operator")).thenThrow(failure);
        assertThat(evict()).isEqualTo(503);
        assertRecorded("unknown");
    }

    @ParameterizedTest
    @ValueSource(classes = {LockClosedException.class, IllegalArgumentException.class})
    void aFailedEvictionIsRecorded(Class<? extends Throwable> failure) {
        when(admin.evict("customer:42", "billing", "id", "operator")).thenThrow(failure);
        assertThat(evict()).isIn(400, 503);
        assertRecorded("failed");
    }

    @Test
    void aRefusedEvictionIsRecordedAndHasNoEffect() {
        assertThat(evict(Show.NEVER, "ADMIN")).isEqualTo(403);
        assertRecorded("refused");
        verifyNoInteractions(admin);
    }

    @Test
    void whereLocksAreSwitchedOffTheEndpointSaysSo() {
        try (LockRegistry off = UnlockedRegistry.create()) {
            DynamoLocksEndpoint endpoint = new DynamoLocksEndpoint(
                    off, event -> {}, new DynamoLocksEndpointProperties(Show.ALWAYS, Set.of(), true));
            assertThat(endpoint.lock(operator, KEY, "billing").getStatus()).isEqualTo(501);
            assertThat(endpoint.evict(operator, KEY, "id", "billing").getStatus())
                    .isEqualTo(501);
            assertThat(endpoint.locks(operator, null, null, null).getStatus()).isEqualTo(200);
        }
    }

    @Test
    void anEvictionThatIsDoneIsRecorded() {
        when(admin.evict("customer:42", "billing", "id", "operator")).thenReturn(true);
        assertThat(evict()).isEqualTo(204);
        assertRecorded("evicted");
    }

    @ParameterizedTest
    @CsvSource({"id, 409, told", "another, 404, gone"})
    void anEvictionWithoutEffectIsRefusedAndRecordedWithItsReason(String inQueue, int status, String outcome) {
        when(admin.inspect("customer:42", "billing")).thenReturn(heldBy(inQueue));
        assertThat(evict()).isEqualTo(status);
        assertRecorded(outcome);
    }

    private static LockSnapshot heldBy(String id) {
        return new LockSnapshot(
                "customer:42",
                "billing",
                Optional.of(new LockSnapshot.Holder(id, "owner", 1, 7, Optional.empty())),
                List.of(),
                List.of(),
                LockData.EMPTY);
    }

    @Test
    void anEvictionIsRecordedWithTheKeyIfKeysAreShown() {
        when(admin.evict("customer:42", "billing", "id", "operator")).thenReturn(true);
        evict(Show.ALWAYS, "ADMIN");
        assertThat(recorded.get(0).getData())
                .containsEntry("key", "customer:42")
                .doesNotContainKey("keyHash");
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
