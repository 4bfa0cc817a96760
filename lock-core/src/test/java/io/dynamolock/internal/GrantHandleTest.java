package io.dynamolock.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.dynamolock.LockHandle;
import io.dynamolock.LockInterruptedException;
import io.dynamolock.LockLostException;
import io.dynamolock.LockRequest;
import io.dynamolock.LockStoreException;
import io.dynamolock.data.LockData;
import io.dynamolock.internal.engine.HoldLimits;
import io.dynamolock.internal.engine.Kind;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.store.StoreFailure;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;

class GrantHandleTest {

    private static final LockData DATA = LockData.of("data");

    private final FakeGrant grant = new FakeGrant(new LockKey("k", "n"), 7);
    private final RegistryThreads.Tellers threads = new RegistryThreads(null, task -> task).ofUsers();
    private final GrantHandle handle = new GrantHandle(grant, threads, Fences.NONE, FollowedCaller.UNSEEN);

    @Test
    void tellsWhatIsLockedAndForHowLong() {
        assertThat(handle.key()).isEqualTo("k");
        assertThat(handle.namespace()).isEqualTo("n");
        assertThat(handle.fencingToken()).isEqualTo(7);
        assertThat(handle.isValid()).isTrue();
        assertThat(handle.remainingValidity()).isEqualTo(Duration.ofSeconds(17));
        assertThatCode(handle::ensureValid).doesNotThrowAnyException();
        assertThat(handle.toString()).contains("key=k", "namespace=n", "fencingToken=7", "valid=true");
    }

    @Test
    void isInvalidOnceReleased() {
        grant.answersRelease = false;

        CompletableFuture<Boolean> release = handle.releaseAsync();

        assertThat(release).isNotDone();
        assertThat(handle.isValid()).isFalse();
        assertThat(handle.remainingValidity()).isZero();
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(handle::ensureValid)
                .withMessageContainingAll("\"k\"", "\"n\"", "7", "released");
        assertThat(handle.fencingToken()).isEqualTo(7);
    }

    @Test
    void changesItsLongestAndItsShortestHoldApartFromEachOther() {
        assertThat(handle.held()).isEqualTo(Duration.ofSeconds(3));
        handle.setMaxHold(Duration.ofMinutes(5));
        handle.setHoldAtLeast(Duration.ofMinutes(1));
        assertThat(grant.limits).isEqualTo(new HoldLimits(Duration.ofMinutes(5), Duration.ofMinutes(1)));

        handle.setMaxHold(LockRequest.FOREVER);
        handle.setHoldAtLeast(Duration.ZERO);
        assertThat(grant.limits).isEqualTo(new HoldLimits(null, Duration.ZERO));
    }

    @Test
    void itsLongestHoldEndsThatMuchLaterThanItWouldHave() {
        handle.setMaxHold(Duration.ofMinutes(5));
        handle.setHoldAtLeast(Duration.ofMinutes(1));
        handle.extendBy(Duration.ofMinutes(2));
        handle.extendBy(Duration.ofSeconds(1));
        assertThat(grant.limits).isEqualTo(new HoldLimits(Duration.ofMinutes(7).plusSeconds(1), Duration.ofMinutes(1)));

        handle.extendBy(LockRequest.FOREVER);
        assertThat(grant.limits).as("no limit").isEqualTo(new HoldLimits(null, Duration.ofMinutes(1)));
        handle.extendBy(Duration.ofMinutes(2));
        assertThat(grant.limits).as("still none").isEqualTo(new HoldLimits(null, Duration.ofMinutes(1)));
    }

    @Test
    void twoThreadsThatExtendAtTheSameTimeBothDo() {
        handle.setMaxHold(Duration.ofMinutes(5));
        grant.refusedLimits = 2;
        handle.extendBy(Duration.ofMinutes(1));
        assertThat(grant.limits.maxHold()).isEqualTo(Duration.ofMinutes(6));
    }

    @Test
    void isNotExtendedByNothingOrLess() {
        handle.setMaxHold(Duration.ofMinutes(5));
        for (Duration wrong : List.of(Duration.ZERO, Duration.ofSeconds(-1))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> handle.extendBy(wrong))
                    .withMessageContainingAll("more than zero", "\"k\"", wrong.toString());
        }
        assertThat(grant.limits.maxHold()).isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void refusesLimitsThatARequestRefusesAndKeepsThoseItHas() {
        handle.setHoldAtLeast(Duration.ofMinutes(1));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> handle.setMaxHold(Duration.ofSeconds(59)))
                .withMessageContainingAll("holdAtLeast (PT1M)", "maxHold (PT59S)", "\"k\"", "\"n\"");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> handle.setMaxHold(Duration.ZERO))
                .withMessageContainingAll("more than zero", "\"k\"");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> handle.setHoldAtLeast(Duration.ofSeconds(-1)))
                .withMessageContaining("negative");
        assertThat(grant.limits).isEqualTo(new HoldLimits(null, Duration.ofMinutes(1)));
    }

    @Test
    void changesNoLimitsOnceLostOrReleased() {
        grant.lose();
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> handle.setMaxHold(Duration.ofMinutes(5)))
                .withMessageContaining("was lost");
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> handle.extendBy(Duration.ofMinutes(5)))
                .withMessageContaining("was lost");
        FakeGrant another = new FakeGrant(new LockKey("k", "n"), 8);
        GrantHandle released = new GrantHandle(another, threads, Fences.NONE, FollowedCaller.UNSEEN);
        released.release();
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> released.setHoldAtLeast(Duration.ofMinutes(5)))
                .withMessageContaining("released");
    }

    @Test
    void aWriterThatGoesOnAsAReaderSaysSoAlsoOnceThatIsLost() {
        grant.kind = Kind.WRITE;
        grant.mayGoOn = true;
        LockHandle reader = handle.downgrade();
        grant.lose();

        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(handle::ensureValid)
                .withMessageContaining("goes on as a reader");
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(reader::ensureValid)
                .withMessageContaining("was lost");
    }

    @Test
    void givesAFenceOfItsEntryWhileItIsValidAndNoneAfterwards() {
        ConditionCheck check = ConditionCheck.builder().tableName("locks").build();
        GrantHandle fenced = new GrantHandle(
                grant,
                threads,
                (key, entry) -> {
                    assertThat(key).isEqualTo(grant.key());
                    assertThat(entry).isEqualTo(FakeGrant.ENTRY);
                    return check;
                },
                FollowedCaller.UNSEEN);
        assertThat(fenced.fence()).isSameAs(check);

        grant.lose();
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(fenced::fence)
                .withMessageContainingAll("\"k\"", "\"n\"", "7", "lost");
        fenced.release();
        assertThatExceptionOfType(LockLostException.class).isThrownBy(fenced::fence);
    }

    @Test
    void saysWhyThereIsNoFenceWhereLocksAreNotInDynamoDb() {
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(handle::fence)
                .withMessageContainingAll("\"k\"", "\"n\"", "not in DynamoDB", "fencing token");
        assertThat(handle.isValid()).isTrue();
    }

    @Test
    void waitsForTheAnswerWhenReleased() throws Exception {
        grant.answersRelease = false;
        var releaser = TestThread.running(handle::release).untilItWaits();
        assertThat(releaser.isDone()).isFalse();

        grant.releaseAnswer.complete(false);

        assertThat(releaser.value()).isFalse();
    }

    @Test
    void stopsWaitingWhenInterruptedButNotReleasing() throws Exception {
        grant.answersRelease = false;
        var releaser = TestThread.running(handle::release).untilItWaits();

        releaser.interrupt();

        assertThat(releaser.value()).isTrue();
        releaser.assertInterruptFlagAtEnd(true);
        assertThat(grant.releases).hasValue(1);
        assertThat(handle.isValid()).isFalse();
    }

    @Test
    void continuesAfterAReleaseOffTheEventLoop() {
        grant.answersRelease = false;
        CompletableFuture<Thread> continuation = handle.releaseAsync().thenApply(ours -> Thread.currentThread());

        grant.releaseAnswer.complete(true);

        assertThat(continuation.orTimeout(10, TimeUnit.SECONDS).join().getName())
                .startsWith("dynamolock-async");
    }

    @Test
    void tellsOfALossAtTheReleaseThoughNobodyKeptTheHandle() {
        FakeGrant missing = new FakeGrant(new LockKey("k", "n"), 8);
        missing.answersRelease = false;
        AtomicInteger calls = new AtomicInteger();
        releaseAndForget(missing, calls);
        FakeGrant marker = new FakeGrant(new LockKey("k", "n"), 9);
        drop(marker);
        await().until(() -> {
            System.gc();
            return marker.releases.get() == 1;
        });

        missing.lose();
        missing.releaseAnswer.complete(false);

        await().untilAtomic(calls, org.hamcrest.Matchers.is(1));
    }

    private void releaseAndForget(FakeGrant missing, AtomicInteger calls) {
        GrantHandle forgotten = new GrantHandle(missing, threads, Fences.NONE, FollowedCaller.UNSEEN);
        forgotten.onLost(calls::incrementAndGet);
        forgotten.releaseAsync();
    }

    @Test
    void callsEveryCallbackThoughOneFailsAndOneIsStuck() {
        CountDownLatch stuck = new CountDownLatch(1);
        CompletableFuture<Void> last = new CompletableFuture<>();
        handle.onLost(() -> {
            throw new IllegalStateException("a callback of the user's that fails, on purpose");
        });
        handle.onLost(() -> {
            try {
                stuck.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        handle.onLost(() -> last.complete(null));

        grant.lose();

        last.orTimeout(10, TimeUnit.SECONDS).join();
        stuck.countDown();
    }

    private void drop(FakeGrant dropped) {
        GrantHandle forgotten = new GrantHandle(dropped, threads, Fences.NONE, FollowedCaller.UNSEEN);
        forgotten.onLost(() -> forgotten.close());
        assertThat(dropped.lossCallbacks).hasSize(1);
    }

    @Test
    void isNotReleasedASecondTimeWhenCollectedAfterItWasClosed() {
        FakeGrant closed = new FakeGrant(new LockKey("k", "n"), 8);
        new GrantHandle(closed, threads, Fences.NONE, FollowedCaller.UNSEEN).close();
        FakeGrant marker = new FakeGrant(new LockKey("k", "n"), 9);
        drop(marker);

        await().until(() -> {
            System.gc();
            return marker.releases.get() == 1;
        });

        assertThat(closed.releases).hasValue(1);
    }

    // Data, and what comes before the end

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

        await().untilAtomic(calls, org.hamcrest.Matchers.is(1));
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
