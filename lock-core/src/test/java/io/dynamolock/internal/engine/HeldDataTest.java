package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.engine.Network.Call;
import io.dynamolock.internal.engine.Network.Fate;
import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.store.StoreFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Only a holder writes the user's data, and each holder finds what the last one left. */
class HeldDataTest {

    private static final LockData ONE = LockData.of("one");
    private static final LockData TWO = LockData.of("two");
    private static final LockData THREE = LockData.of("three");

    private final Bench bench = new Bench();
    private final LockEngine process = bench.processThatHasUsedTheLock();
    private final LockEngine other = bench.processWithSession();

    @ParameterizedTest
    @EnumSource(names = {"EXCLUSIVE", "WRITE"})
    void whatAHolderPutsIsReadByItselfAndByTheNextHolderInAnyProcess(Kind kind) {
        Acquisition first = acquire(process, kind);
        Acquisition sameProcess = acquire(process, kind);
        Grant grant = bench.granted(first);
        assertThat(grant.data()).isEqualTo(LockData.EMPTY);
        Acquisition otherProcess = acquire(other, kind);

        put(grant, ONE);
        assertThat(grant.data()).isEqualTo(ONE);
        grant.release();
        Grant second = bench.granted(sameProcess);
        assertThat(second.data()).isEqualTo(ONE);
        second.release(TWO);

        assertThat(bench.granted(otherProcess).data()).isEqualTo(TWO);
        assertThat(stored()).isEqualTo(TWO);
    }

    @Test
    void dataIsKeptByEveryAcquireAndReleaseUntilItIsRemoved() {
        bench.release(put(bench.grant(process), ONE));
        for (int i = 0; i < 3; i++) {
            bench.release(bench.grant(other));
            bench.release(bench.grant(process));
        }
        Grant last = bench.grant(other);
        assertThat(last.data()).isEqualTo(ONE);
        bench.release(put(last, LockData.EMPTY));
        assertThat(stored()).isEqualTo(LockData.EMPTY);

        bench.await(put(bench.grant(process), ONE).release(LockData.EMPTY));
        assertThat(stored()).isEqualTo(LockData.EMPTY);
    }

    @Test
    void dataThatIsStoredAlreadyCostsNoWrite() {
        Grant grant = bench.grant(process);
        bench.network.resetCounts();

        put(grant, LockData.EMPTY);
        assertThat(bench.network.writes()).isZero();

        put(grant, ONE);
        put(grant, ONE);
        assertThat(bench.network.writes()).isOne();
        CompletableFuture<Boolean> again = grant.putData(TWO);
        put(grant, ONE);
        assertThat(again).isCompleted();
        assertThat(stored()).isEqualTo(ONE);
        bench.await(grant.release(LockData.EMPTY));
        assertThat(stored()).isEqualTo(LockData.EMPTY);
    }

    @Test
    void dataLeftToTheNextHolderOfAProcessIsStoredInOneWriteBeforeItsGrant() {
        Acquisition first = acquire(process, Kind.EXCLUSIVE);
        Acquisition next = acquire(process, Kind.EXCLUSIVE);
        Grant grant = bench.granted(first);
        bench.advanceMillis(1_000);
        bench.network.resetCounts();
        List<LockData> storedAtTheGrant = new ArrayList<>();
        next.outcome().thenRun(() -> storedAtTheGrant.add(stored()));

        CompletableFuture<Boolean> released = grant.release(ONE);
        Grant second = bench.granted(next);

        assertThat(bench.await(released)).isTrue();
        assertThat(storedAtTheGrant).containsExactly(ONE);
        assertThat(second.data()).isEqualTo(ONE);
        assertThat(bench.network.writes()).isOne();
    }

    @ParameterizedTest
    @EnumSource(names = {"STALLED", "SLOW_ANSWER", "REFUSED_CONNECTION", "LOST_ANSWER"})
    void dataThatIsBeingWrittenWhenTheProcessStopsIsStored(Fate fate) {
        Acquisition first = acquire(process, Kind.EXCLUSIVE);
        acquire(process, Kind.EXCLUSIVE);
        Grant grant = bench.granted(first);
        bench.network.next(Call.EDIT, fate, 1);
        CompletableFuture<Boolean> released = grant.release(ONE);
        bench.advanceMillis(4);

        process.shutdown();
        bench.advanceMillis(1_000);
        bench.network.heal();
        bench.network.resume();
        bench.advanceMillis(10_000);

        assertThat(released).isCompletedWithValue(true);
        assertThat(stored()).isEqualTo(ONE);
        assertThat(bench.queue()).isEmpty();
    }

    // Late writes

    @Test
    void aFrozenHoldersLateDataDoesNotReplaceTheNextHoldersData() {
        Grant grant = bench.grant(process);
        bench.network.next(Call.REISSUE, Fate.STALLED, 1);
        grant.putData(ONE);
        bench.advanceMillis(10);
        bench.machineOf(process).loop.freeze(Duration.ofMinutes(1));

        put(bench.grant(other), TWO);
        bench.network.heal();
        bench.network.resume();
        bench.time.advance(Duration.ofMinutes(1));

        assertThat(stored()).isEqualTo(TWO);
        assertThat(grant.putData(THREE)).isCompletedWithValue(false);
        assertThat(grant.release(THREE)).isCompletedWithValue(false);
        bench.advanceMillis(1_000);
        assertThat(stored()).isEqualTo(TWO);
    }

    // Failures

    @ParameterizedTest
    @EnumSource(names = {"REFUSED", "DENIED"})
    void dataThatTheStoreRefusesFailsAndTheLockIsStillHeld(Fate fate) {
        Grant grant = bench.grant(process);
        bench.network.next(Call.REISSUE, fate, 1);

        CompletableFuture<Boolean> written = grant.putData(ONE);
        bench.advanceMillis(1_000);

        assertThat(written.handle((done, failure) -> failure).join()).isInstanceOf(StoreFailure.class);
        assertThat(grant.isValid()).isTrue();
        assertThat(grant.data()).isEqualTo(LockData.EMPTY);
        put(grant, TWO);
        assertThat(stored()).isEqualTo(TWO);
    }

    @Test
    void aHolderWhoseWriteIsUnderWayWhenTheProcessStopsIsTold() {
        Grant grant = bench.grant(process);
        bench.network.always(Call.REISSUE, Fate.STALLED);
        CompletableFuture<Boolean> first = grant.putData(ONE);
        CompletableFuture<Boolean> second = grant.putData(TWO);
        bench.advanceMillis(1_000);
        assertThat(first).isNotDone();

        process.shutdown();
        bench.advanceMillis(5_000);

        assertThat(first).isCompletedWithValue(false);
        assertThat(second).isCompletedWithValue(false);
        assertThat(grant.putData(ONE)).isCompletedWithValue(false);
    }

    private static Acquisition acquire(LockEngine process, Kind kind) {
        return process.acquire(Bench.spec(kind, Duration.ofMinutes(1)));
    }

    private Grant put(Grant grant, LockData data) {
        assertThat(bench.await(grant.putData(data))).isTrue();
        return grant;
    }

    private LockData stored() {
        return bench.table.lock(Bench.KEY).data();
    }
}
