package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.engine.HoldLimits;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.store.StoreFailure;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.hamcrest.Matchers;
import org.junit.jupiter.api.Test;

/** What a handle says of its lock's data and of its end. */
class DataHandleTest {

    private static final LockData DATA = LockData.of("data");

    private final FakeGrant grant = new FakeGrant(new LockKey("k", "n"), 7);
    private final RegistryThreads.Tellers threads = new RegistryThreads(null, task -> task).ofUsers();
    private final GrantHandle handle = new GrantHandle(grant, threads, Fences.NONE, FollowedCaller.UNSEEN);

    @Test
    void putsAndReadsData() {
        grant.putAnswer.complete(true);

        handle.putData(DATA);

        assertThat(handle.data()).isEqualTo(DATA);
    }

    @Test
    void leavesDataByItsRelease() {
        assertThat(handle.release(DATA)).isTrue();

        assertThat(handle.data()).isEqualTo(DATA);
        assertThat(handle.isValid()).isFalse();
        assertThat(handle.releaseAsync(LockData.EMPTY)
                        .orTimeout(10, TimeUnit.SECONDS)
                        .join())
                .isTrue();
    }

    @Test
    void saysThatTheLockWasLostBeforeItsDataWasWritten() {
        CompletableFuture<Void> written = handle.putDataAsync(DATA);
        grant.putAnswer.complete(false);

        assertThat(written)
                .failsWithin(10, TimeUnit.SECONDS)
                .withThrowableOfType(ExecutionException.class)
                .havingCause()
                .isInstanceOf(LockLostException.class)
                .withMessageContainingAll("\"k\"", "data");
        grant.lose();
        assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> handle.putData(DATA));
    }

    @Test
    void saysThatTheStoreRefusedAndThatIsNoLoss() {
        grant.putAnswer.completeExceptionally(new StoreFailure(StoreFailure.Kind.REFUSED, "not allowed", null));

        assertThatExceptionOfType(LockStoreException.class)
                .isThrownBy(() -> handle.putData(DATA))
                .withMessageContainingAll("Writing the data", "\"k\"", "not allowed")
                .withMessageNotContaining("not held");
        assertThat(handle.isValid()).isTrue();
    }

    @Test
    void anInterruptEndsTheWaitingForAWriteAndNotTheLock() throws Exception {
        var caller = TestThread.running(() -> {
                    handle.putData(DATA);
                    return null;
                })
                .untilItWaits();

        caller.interrupt();

        assertThat(caller.failure())
                .isInstanceOf(LockInterruptedException.class)
                .hasMessageContaining("still held");
        caller.assertInterruptFlagAtEnd(true);
        assertThat(handle.isValid()).isTrue();
    }

    @Test
    void anInterruptWhileTheDataOfARequestIsWrittenReleasesTheLockAndSaysSo() throws Exception {
        grant.limits = new HoldLimits(null, Duration.ofMinutes(10));
        var caller = TestThread.running(() -> handle.written(LockRequest.of("k").data(DATA)))
                .untilItWaits();

        caller.interrupt();

        assertThat(caller.failure())
                .isInstanceOf(LockInterruptedException.class)
                .hasMessageContaining("the lock is released")
                .hasMessageNotContaining("still held");
        assertThat(grant.releases).hasValue(1);
        assertThat(grant.limits.holdAtLeast())
                .as("nothing has run that it would be kept for")
                .isNull();
    }

    @Test
    void whatACallbackBeforeTheEndThrowsIsNobodysBusiness() {
        AtomicInteger calls = new AtomicInteger();
        Runnable bad = () -> {
            calls.incrementAndGet();
            throw new IllegalStateException("expected by this test");
        };
        handle.onExpiring(Duration.ofSeconds(3), bad);

        grant.expiryCallbacks.forEach(Runnable::run);

        await().untilAtomic(calls, Matchers.is(1));
    }

    @Test
    void theEngineDoesNotKeepADroppedHandleForItsCallback() {
        FakeGrant dropped = new FakeGrant(new LockKey("k", "n"), 8);
        WeakReference<GrantHandle> left = watchAndForget(dropped);

        await().until(() -> {
            System.gc();
            return left.get() == null && dropped.releases.get() == 1;
        });
        assertThat(dropped.expiryCallbacks).hasSize(1);
    }

    private WeakReference<GrantHandle> watchAndForget(FakeGrant dropped) {
        GrantHandle forgotten = new GrantHandle(dropped, threads, Fences.NONE, FollowedCaller.UNSEEN);
        forgotten.onExpiring(Duration.ofSeconds(3), forgotten::release);
        return new WeakReference<>(forgotten);
    }
}
