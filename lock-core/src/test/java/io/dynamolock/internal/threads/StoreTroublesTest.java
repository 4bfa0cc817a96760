package io.dynamolock.internal.threads;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockAdmin.StoreTrouble;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.store.StoreFailure.Kind;
import io.dynamolock.internal.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StoreTroublesTest implements TimeSource {

    private final StoreTroubles troubles = new StoreTroubles(this);
    private Duration passed = Duration.ZERO;

    @Override
    public long nanos() {
        return passed.toNanos();
    }

    @Override
    public Instant now() {
        throw new UnsupportedOperationException();
    }

    private void advance(int seconds) {
        passed = passed.plusSeconds(seconds);
    }

    private void fails(String operation, Kind kind) {
        troubles.failed(operation, new StoreFailure(kind, "said " + kind, null));
    }

    @Test
    void failuresInARowOfOneStepAreCountedFromTheFirst() {
        fails("edit", Kind.THROTTLED);
        advance(4);
        fails("edit", Kind.DENIED);
        advance(2);

        assertThat(troubles.present())
                .containsExactly(new StoreTrouble(
                        "edit", "denied", 2, Duration.ofSeconds(6), Duration.ofSeconds(2), "said DENIED"));
    }

    @Test
    void anAnswerEndsTheTroubleOfItsStepAndOfNoOther() {
        troubles.sessionStarted();
        fails("edit", Kind.UNAVAILABLE);
        fails("heartbeat", Kind.UNAVAILABLE);
        troubles.answered("edit");

        assertThat(troubles.present()).extracting(StoreTrouble::operation).containsExactly("heartbeat");
    }

    @Test
    void aLostSessionHasNoTroubleWithItsHeartbeats() {
        troubles.sessionStarted();
        fails("heartbeat", Kind.DENIED);
        fails("edit", Kind.DENIED);
        troubles.sessionLost();
        fails("heartbeat", Kind.DENIED);
        assertThat(troubles.present()).extracting(StoreTrouble::operation).containsExactly("edit");

        troubles.sessionStarted();
        fails("heartbeat", Kind.DENIED);
        assertThat(troubles.present())
                .extracting(StoreTrouble::operation)
                .containsExactlyInAnyOrder("edit", "heartbeat");
    }

    @ParameterizedTest
    @EnumSource(names = {"CONFLICTED", "UNREADABLE"})
    void whatTellsNothingAboutTheStoreIsNoTrouble(Kind kind) {
        fails("edit", kind);
        assertThat(troubles.present()).isEmpty();

        fails("edit", Kind.UNAVAILABLE);
        fails("edit", kind);
        assertThat(troubles.present()).extracting(StoreTrouble::failures).containsExactly(1L);
    }
}
