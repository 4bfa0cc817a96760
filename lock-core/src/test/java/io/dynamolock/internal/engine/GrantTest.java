package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.Network.Call;
import io.dynamolock.internal.engine.Network.Fate;
import io.dynamolock.internal.process.LockEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the holder of a lock can rely on. */
class GrantTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration VALID_FOR = Bench.LEASE.minus(Bench.LEASE.dividedBy(12));

    private final Bench bench = new Bench();
    private final LockEngine process = bench.processThatHasUsedTheLock();
    private final List<String> told = new ArrayList<>();

    @Test
    void tellsWhatWasGrantedAndWhen() {
        bench.advanceMillis(3_000);
        Grant grant = hold(null);

        assertThat(grant.key()).isEqualTo(Bench.KEY);
        assertThat(grant.ticket()).isEqualTo(bench.table.lock(Bench.KEY).tail());
        assertThat(grant.entry()).isEqualTo(bench.queue().get(0));
        assertThat(grant.since()).isEqualTo(bench.time.now());
        assertThat(process.held()).containsExactly(grant);
        assertThat(process.held(Bench.KEY)).containsExactly(grant);
    }

    @Test
    void isValidAsLongAsItsSessionAndNoLongerThanItsLongestHold() {
        LockEngine young = bench.process();
        Grant unlimited = bench.granted(young.acquire(Bench.exclusive()));
        assertThat(unlimited.remaining()).isBetween(VALID_FOR.minusMillis(50), VALID_FOR);
        bench.release(unlimited);

        Grant limited = hold(Duration.ofSeconds(10));
        bench.time.advance(Duration.ofSeconds(10).minusNanos(1));
        assertThat(limited.remaining()).isEqualTo(Duration.ofNanos(1));
        bench.time.advance(Duration.ofNanos(1));

        assertThat(limited.remaining()).isZero();
        assertThat(limited.isValid()).isFalse();
        assertThat(bench.countEvents(process, "lost: MAX_HOLD")).isOne();
    }

    @Test
    void endsWithItsReleaseWhichCountsOnceAndCannotBeForged() {
        Grant grant = hold(SECOND);
        grant.onLost(() -> told.add("lost"));

        CompletableFuture<Boolean> first = grant.release();
        first.complete(false);
        assertThat(grant.isValid()).isFalse();
        assertThat(grant.remaining()).isZero();
        assertThat(process.held()).isEmpty();

        assertThat(bench.await(grant.release())).isTrue();
        assertThat(bench.await(grant.release())).isTrue();
        bench.advanceMillis(5_000);
        assertThat(bench.network.count(Call.REMOVAL)).isOne();
        assertThat(bench.countEvents(process, "released")).isOne();
        assertThat(told).isEmpty();
        assertThat(grant.loss()).isEmpty();
    }

    @Test
    void aReleaseIsAnsweredOnceItIsWrittenOrHasFailedAndIsThenRepeated() {
        Grant written = hold(null);
        bench.await(written.release());
        assertThat(bench.queue()).isEmpty();

        Grant failed = hold(null);
        bench.network.next(Call.REMOVAL, Fate.THROTTLED, 1);
        assertThat(bench.await(failed.release())).isTrue();
        assertThat(bench.queue()).hasSize(1);
        bench.advanceMillis(1_000);
        assertThat(bench.queue()).isEmpty();
    }

    @Test
    void aReleaseAfterTheEndOfTheSessionIsALossThoughNobodyHasNoticedIt() {
        Grant grant = hold(null);
        grant.onLost(() -> told.add("lost"));
        bench.machineOf(process).loop.freeze(Duration.ofMinutes(1));
        bench.time.advance(VALID_FOR);

        CompletableFuture<Boolean> released = grant.release();

        assertThat(released).isCompletedWithValue(false);
        assertThat(told).containsExactly("lost");
        assertThat(grant.loss()).contains(LossReason.SESSION_LOST);
        assertThat(bench.countEvents(process, "lost: SESSION_LOST")).isEqualTo(1);
    }

    @Test
    void everyCallbackHearsOfTheLossOnceThoughAnotherCallbackFails() {
        Grant grant = hold(SECOND);
        grant.onLost(() -> told.add("first"));
        grant.onLost(() -> {
            throw new IllegalStateException("expected by this test");
        });
        grant.onLost(() -> told.add("third"));

        bench.advanceMillis(2_000);
        grant.onLost(() -> told.add("late"));

        assertThat(told).containsExactlyInAnyOrder("first", "third", "late");
        assertThat(grant.release()).isCompletedWithValue(false);
        assertThat(bench.countEvents(process, "lost: MAX_HOLD")).isOne();
        assertThat(bench.countEvents(process, "released")).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"EXCLUSIVE", "WRITE", "READ", "PERMIT"})
    void allHoldersUnderALostSessionAreTold(Kind kind) {
        for (int i = 0; i < 2; i++) {
            bench.acquire(process, Bench.spec(kind, Duration.ofMinutes(5)));
        }
        int holders = process.held().size();
        bench.network.always(Call.HEARTBEAT, Fate.REFUSED_CONNECTION);

        bench.time.advance(VALID_FOR);

        assertThat(holders).isEqualTo(kind.mode() == Kind.WRITE.mode() ? 1 : 2);
        assertThat(bench.countEvents(process, "lost: SESSION_LOST")).isEqualTo(holders);
    }

    @Test
    void theHeldTimeStopsWhenTheHoldIsOverAndGoesOnAfterADowngrade() {
        Grant lost = hold(SECOND.multipliedBy(2));
        bench.advanceMillis(5_000);
        assertThat(lost.held()).isEqualTo(SECOND.multipliedBy(2));
        bench.advanceMillis(60_000);
        assertThat(lost.held()).isEqualTo(SECOND.multipliedBy(2));

        Grant writer = bench.granted(process.acquire(Bench.spec(Kind.WRITE, Duration.ofMinutes(1))));
        bench.advanceMillis(1_000);
        bench.await(writer.downgrade());
        bench.advanceMillis(60_000);
        assertThat(writer.held()).isGreaterThan(Duration.ofMinutes(1));
    }

    private Grant hold(@Nullable Duration maxHold) {
        return bench.granted(process.acquire(Specs.exclusive(Bench.KEY)
                .waiting(Duration.ofMinutes(1))
                .maxHold(maxHold)
                .spec()));
    }
}
