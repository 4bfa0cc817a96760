package io.dynamolock.internal.handles;

import static io.dynamolock.internal.testing.Thrown.refused;
import static io.dynamolock.internal.testing.Thrown.thrown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.dynamolock.LockHandle;
import io.dynamolock.LockInterruptedException;
import io.dynamolock.LockLostException;
import io.dynamolock.LockRequest;
import io.dynamolock.LockStoreException;
import io.dynamolock.data.LockData;
import io.dynamolock.internal.engine.HoldLimits;
import io.dynamolock.internal.engine.Kind;
import io.dynamolock.internal.engine.ReleaseTerms;
import io.dynamolock.internal.fences.Fences;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.testing.FakeGrant;
import io.dynamolock.internal.testing.TestThread;
import io.dynamolock.internal.threads.ObservedCaller;
import io.dynamolock.internal.threads.RegistryThreads;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;

class GrantHandleTest {

    private static final LockData DATA = LockData.of("data");

    private final FakeGrant grant = grant(7);
    private final RegistryThreads.CallbackExecutors threads = new RegistryThreads(null, task -> task).ofUsers();
    private final GrantHandle handle = handle(grant);

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
        thrown(LockLostException.class, handle::ensureValid, "\"k\"", "\"n\"", "7", "released");
        assertThat(handle.fencingToken()).isEqualTo(7);
    }

    @Test
    void changesItsLongestAndItsShortestHoldIndependently() {
        assertThat(handle.held()).isEqualTo(Duration.ofSeconds(3));
        handle.setMaxHold(Duration.ofMinutes(5));
        handle.setHoldAtLeast(Duration.ofMinutes(1));
        assertThat(grant.limits).isEqualTo(new HoldLimits(Duration.ofMinutes(5), Duration.ofMinutes(1)));

        handle.setMaxHold(LockRequest.FOREVER);
        handle.setHoldAtLeast(Duration.ZERO);
        assertThat(grant.limits).isEqualTo(new HoldLimits(null, Duration.ZERO));
    }

    @Test
    void anExtensionPostponesTheEndOfTheLongestHold() {
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
    void concurrentExtensionsAddUp() {
        handle.setMaxHold(Duration.ofMinutes(5));
        grant.refusedLimits = 2;
        handle.extendBy(Duration.ofMinutes(1));
        assertThat(grant.limits.maxHold()).isEqualTo(Duration.ofMinutes(6));
    }

    @Test
    void refusesExtensionsOfZeroOrLess() {
        handle.setMaxHold(Duration.ofMinutes(5));
        for (Duration wrong : List.of(Duration.ZERO, Duration.ofSeconds(-1))) {
            refused(() -> handle.extendBy(wrong), "more than zero", "\"k\"", wrong.toString());
        }
        assertThat(grant.limits.maxHold()).isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void refusesLimitsThatARequestRefusesAndKeepsItsOwn() {
        handle.setHoldAtLeast(Duration.ofMinutes(1));

        Duration tooShort = Duration.ofSeconds(59);
        refused(() -> handle.setMaxHold(tooShort), "holdAtLeast (PT1M)", "maxHold (PT59S)", "\"k\"", "\"n\"");
        refused(() -> handle.setMaxHold(Duration.ZERO), "more than zero", "\"k\"");
        refused(() -> handle.setHoldAtLeast(Duration.ofSeconds(-1)), "negative");
        assertThat(grant.limits).isEqualTo(new HoldLimits(null, Duration.ofMinutes(1)));
    }

    @Test
    void changesNoLimitsOnceLostOrReleased() {
        grant.lose();
        thrown(LockLostException.class, () -> handle.setMaxHold(Duration.ofMinutes(5)), "was lost");
        thrown(LockLostException.class, () -> handle.extendBy(Duration.ofMinutes(5)), "was lost");
        GrantHandle released = handle(grant(8));
        released.release();
        thrown(LockLostException.class, () -> released.setHoldAtLeast(Duration.ofMinutes(5)), "released");
    }

    @Test
    void aDowngradedHandleSaysSoEvenAfterALoss() {
        grant.kind = Kind.WRITE;
        grant.mayGoOn = true;
        LockHandle reader = handle.downgrade();
        grant.lose();

        thrown(LockLostException.class, handle::ensureValid, "goes on as a reader");
        thrown(LockLostException.class, reader::ensureValid, "was lost");
    }

    @Test
    void givesAFenceOfItsEntryWhileItIsValidAndNoneAfterwards() {
        ConditionCheck check = ConditionCheck.builder().tableName("locks").build();
        Fences fences = (key, entry) -> {
            assertThat(key).isEqualTo(grant.key());
            assertThat(entry).isEqualTo(FakeGrant.ENTRY);
            return check;
        };
        GrantHandle fenced =
                new GrantHandle(grant, threads, fences, new UnawaitedReleases(8), ObservedCaller.UNOBSERVED);
        assertThat(fenced.fence()).isSameAs(check);

        grant.lose();
        thrown(LockLostException.class, fenced::fence, "\"k\"", "\"n\"", "7", "lost");
        fenced.release();
        assertThatExceptionOfType(LockLostException.class).isThrownBy(fenced::fence);
    }

    @Test
    void saysWhyThereIsNoFenceWhereLocksAreNotInDynamoDb() {
        assertThat(thrown(UnsupportedOperationException.class, handle::fence, "\"k\"", "\"n\""))
                .hasMessageContainingAll("not in DynamoDB", "fencing token");
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
    void anInterruptEndsTheWaitForTheReleaseButNotTheRelease() throws Exception {
        grant.answersRelease = false;
        var releaser = TestThread.running(handle::release).untilItWaits();

        releaser.interrupt();

        assertThat(releaser.value()).isTrue();
        releaser.assertInterruptFlagAtEnd(true);
        assertThat(grant.releases).hasValue(1);
        assertThat(handle.isValid()).isFalse();
        Thread.currentThread().interrupt();
        assertThat(handle.release()).as("the same answer").isTrue();
        grant.lose();
        assertThat(handle.release()).as("found lost meanwhile").isFalse();
        assertThat(Thread.interrupted()).isTrue();
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
    void aLossFoundByTheReleaseIsToldEvenIfNobodyKeepsTheHandle() {
        FakeGrant missing = grant(8);
        missing.answersRelease = false;
        AtomicInteger calls = new AtomicInteger();
        releaseAndForget(missing, calls);
        collectsWhatIsDropped();

        missing.lose();
        missing.releaseAnswer.complete(false);

        await().untilAtomic(calls, org.hamcrest.Matchers.is(1));
    }

    private void releaseAndForget(FakeGrant missing, AtomicInteger calls) {
        GrantHandle forgotten = handle(missing);
        forgotten.onLost(calls::incrementAndGet);
        forgotten.releaseAsync();
    }

    @Test
    void aLossFoundAfterASectionIsToldEvenIfNobodyKeepsTheHandle() {
        FakeGrant missing = grant(8);
        missing.answersRelease = false;
        missing.release = new ReleaseTerms(false, Duration.ZERO);
        AtomicInteger calls = new AtomicInteger();
        endSectionAndForget(missing, calls);
        collectsWhatIsDropped();

        missing.lose();
        missing.releaseAnswer.complete(false);

        await().untilAtomic(calls, org.hamcrest.Matchers.is(1));
    }

    private void endSectionAndForget(FakeGrant missing, AtomicInteger calls) {
        GrantHandle forgotten = handle(missing);
        forgotten.onLost(calls::incrementAndGet);
        assertThat(forgotten.endSection()).isTrue();
    }

    /** The thread that finds a lock lost notes the loss first, and answers the release a moment later. */
    @Test
    void aLossThatIsKnownAtTheEndOfASectionIsItsResultBeforeTheAnswer() {
        FakeGrant other = grant(8);
        for (FakeGrant each : List.of(grant, other)) {
            each.release = new ReleaseTerms(false, Duration.ZERO);
            each.answersRelease = false;
            each.lose();
        }
        assertThat(handle.endSection()).isFalse();
        assertThat(CompletableFuture.supplyAsync(() -> handle(other).endSection(), threads.async()))
                .as("on a thread of the registry")
                .succeedsWithin(10, TimeUnit.SECONDS)
                .isEqualTo(false);
        assertThat(grant.releaseAnswer).isNotDone();
    }

    @Test
    void theReleaseOfAnInterruptedCallerIsUnderWayLikeAnyOther() throws Exception {
        UnawaitedReleases room = new UnawaitedReleases(1);
        List<GrantHandle> handles = new ArrayList<>();
        for (FakeGrant each : List.of(grant, grant(8), grant(9))) {
            each.answersRelease = false;
            each.release = new ReleaseTerms(false, Duration.ZERO);
            handles.add(new GrantHandle(each, threads, Fences.NONE, room, ObservedCaller.UNOBSERVED));
        }
        assertThat(handles.get(0).endSection()).isTrue();
        var interrupted = TestThread.running(() -> {
            Thread.currentThread().interrupt();
            return handles.get(1).endSection();
        });
        assertThat(interrupted.value()).isTrue();
        interrupted.assertInterruptFlagAtEnd(true);

        grant.releaseAnswer.complete(true);

        assertThat(handles.get(2).endSectionAsync())
                .as("the release of the interrupted caller takes the room")
                .isNotDone();
    }

    @Test
    void aSectionOfAFutureEndsAtOnceUnlessThereIsNoRoom() {
        List<FakeGrant> grants = List.of(grant(1), grant(2));
        UnawaitedReleases room = new UnawaitedReleases(1);
        List<CompletableFuture<Boolean>> ends = grants.stream()
                .map(each -> {
                    each.answersRelease = false;
                    each.release = new ReleaseTerms(false, Duration.ZERO);
                    return new GrantHandle(each, threads, Fences.NONE, room, ObservedCaller.UNOBSERVED)
                            .endSectionAsync();
                })
                .toList();

        assertThat(ends.get(0)).isCompletedWithValue(true);
        assertThat(ends.get(1)).isNotDone();
        CompletableFuture<Thread> continuation = ends.get(1).thenApply(ours -> Thread.currentThread());
        grants.get(1).releaseAnswer.complete(true);
        assertThat(continuation.orTimeout(10, TimeUnit.SECONDS).join().getName())
                .startsWith("dynamolock-async");
    }

    /** Other callbacks wait for the thread that tells of a loss. */
    @Test
    void whatFollowsALostSectionDoesNotRunOnTheThreadThatTellsOfTheLoss() {
        grant.release = new ReleaseTerms(false, Duration.ZERO);
        grant.answersRelease = false;
        CompletableFuture<Thread> continuation = new CompletableFuture<>();
        CountDownLatch isFollowed = new CountDownLatch(1);
        handle.onLost(() -> {
            handle.endSectionAsync().thenAccept(ours -> continuation.complete(Thread.currentThread()));
            isFollowed.countDown();
        });

        grant.lose();
        TestThread.awaitQuietly(isFollowed);
        grant.releaseAnswer.complete(false);

        assertThat(continuation.orTimeout(10, TimeUnit.SECONDS).join().getName())
                .startsWith("dynamolock-async");
    }

    @Test
    void callsEveryCallbackEvenIfOneFailsAndOneHangs() {
        CountDownLatch stuck = new CountDownLatch(1);
        CompletableFuture<Void> last = new CompletableFuture<>();
        handle.onLost(() -> {
            throw new IllegalStateException("a callback of the user's that fails, on purpose");
        });
        handle.onLost(() -> TestThread.awaitQuietly(stuck));
        handle.onLost(() -> last.complete(null));

        grant.lose();

        last.orTimeout(10, TimeUnit.SECONDS).join();
        stuck.countDown();
    }

    private static FakeGrant grant(long number) {
        return new FakeGrant(new LockKey("k", "n"), number);
    }

    private GrantHandle handle(FakeGrant of) {
        return new GrantHandle(of, threads, Fences.NONE, new UnawaitedReleases(8), ObservedCaller.UNOBSERVED);
    }

    /** A handle that nobody keeps is collected, and with it all that were dropped before. */
    private void collectsWhatIsDropped() {
        FakeGrant marker = grant(9);
        drop(marker);
        await().until(() -> {
            System.gc();
            return marker.releases.get() == 1;
        });
    }

    private void drop(FakeGrant dropped) {
        GrantHandle forgotten = handle(dropped);
        forgotten.onLost(() -> forgotten.close());
        assertThat(dropped.lossCallbacks).hasSize(1);
    }

    @Test
    void aClosedHandleIsNotReleasedAgainWhenItIsCollected() {
        FakeGrant closed = grant(8);
        handle(closed).close();
        collectsWhatIsDropped();

        assertThat(closed.releases).hasValue(1);
    }

    // Data, and what comes before the end

    @Test
    void saysThatTheLockWasLostBeforeItsDataWasWritten() {
        CompletableFuture<Void> written = handle.putDataAsync(DATA);
        grant.putAnswer.complete(false);
        CompletableFuture<Throwable> heard = written.handle((done, failure) -> failure);

        assertThat(written)
                .failsWithin(10, TimeUnit.SECONDS)
                .withThrowableOfType(ExecutionException.class)
                .havingCause()
                .isInstanceOf(LockLostException.class)
                .withMessageContainingAll("\"k\"", "data");
        assertThat(heard.join()).as("without anything around it").isInstanceOf(LockLostException.class);
        grant.lose();
        assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> handle.putData(DATA));
    }

    @Test
    void dataThatTheStoreRefusesIsAStoreFailureAndNoLoss() {
        grant.putAnswer.completeExceptionally(new StoreFailure(StoreFailure.Kind.REFUSED, "not allowed", null));

        assertThatExceptionOfType(LockStoreException.class)
                .isThrownBy(() -> handle.putData(DATA))
                .withMessageContainingAll("Writing the data", "\"k\"", "not allowed")
                .withMessageNotContaining("not held");
        assertThat(handle.isValid()).isTrue();
    }

    @Test
    void anInterruptEndsTheWaitForAWriteOfDataButNotTheHold() throws Exception {
        var caller = TestThread.running(Executors.callable(() -> handle.putData(DATA)))
                .untilItWaits();

        assertThat(caller.failureByInterrupt())
                .isInstanceOf(LockInterruptedException.class)
                .hasMessageContaining("still held");
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
    void anExpiryCallbackThatThrowsHarmsNobody() {
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
        FakeGrant dropped = grant(8);
        WeakReference<GrantHandle> left = watchAndForget(dropped);

        await().until(() -> {
            System.gc();
            return left.get() == null && dropped.releases.get() == 1;
        });
        assertThat(dropped.expiryCallbacks).hasSize(1);
    }

    private WeakReference<GrantHandle> watchAndForget(FakeGrant dropped) {
        GrantHandle forgotten = handle(dropped);
        forgotten.onExpiring(Duration.ofSeconds(3), forgotten::release);
        return new WeakReference<>(forgotten);
    }
}
