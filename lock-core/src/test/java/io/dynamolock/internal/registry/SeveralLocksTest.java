package io.dynamolock.internal.registry;

import static io.dynamolock.internal.testing.Thrown.refused;
import static io.dynamolock.internal.testing.Thrown.thrown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.dynamolock.LockClosedException;
import io.dynamolock.LockHandle;
import io.dynamolock.LockInterruptedException;
import io.dynamolock.LockLostException;
import io.dynamolock.LockMode;
import io.dynamolock.LockRequest;
import io.dynamolock.LockStoreException;
import io.dynamolock.LockTimeoutException;
import io.dynamolock.data.LockData;
import io.dynamolock.internal.engine.AcquireOutcome;
import io.dynamolock.internal.engine.Holder;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.testing.TestThread;
import io.dynamolock.internal.threads.RegistryThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Several locks, all or none, in one order. */
class SeveralLocksTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final FakeEngine engine = new FakeEngine();
    private final DefaultLockRegistry registry = engine.registry();

    @Test
    void takesLocksByNamespaceAndKeyAndReturnsThemInTheOrderOfTheRequests() {
        engine.granting();

        List<LockHandle> handles = registry.acquireAll(
                List.of(request("b", "two"), request("c", "one"), request("a", "two"), request("d", "one")));

        assertThat(engine.attempts)
                .extracting(attempt -> attempt.spec.key().toString())
                .containsExactly("one/c", "one/d", "two/a", "two/b");
        assertThat(handles).extracting(LockHandle::key).containsExactly("b", "c", "a", "d");
        assertThat(handles).allMatch(LockHandle::isValid);
    }

    @Test
    void theOrderComparesBytesOfUtf8AndNotCharsOfJava() {
        String beyond = "\uD83D\uDE00";
        String lastOfTheBasicPlane = "\uFFFD";
        assertThat(beyond).as("in Java").isLessThan(lastOfTheBasicPlane);
        engine.granting();

        registry.acquireAll(List.of(
                LockRequest.of(beyond),
                LockRequest.of(lastOfTheBasicPlane),
                LockRequest.of("ab"),
                LockRequest.of("a")));

        assertThat(asked()).containsExactly("a", "ab", lastOfTheBasicPlane, beyond);
    }

    @Test
    void allWaitsAreCountedFromTheCall() {
        engine.time.newLoop();
        engine.answer = attempt -> {
            engine.time.advance(SECOND);
            return new AcquireOutcome.Granted(attempt.grant);
        };
        registry.acquireAll(List.of(
                LockRequest.of("a").waitTime(SECOND.multipliedBy(3)),
                LockRequest.of("b").waitTime(SECOND.multipliedBy(3)),
                LockRequest.of("c").waitTime(SECOND),
                LockRequest.of("d")));

        assertThat(engine.attempts)
                .extracting(attempt -> attempt.spec.waitLimit())
                .startsWith(SECOND.multipliedBy(3), SECOND.multipliedBy(2), Duration.ZERO);
        assertThat(engine.attempt(3).spec.waitLimit()).as("a minute by default").isEqualTo(SECOND.multipliedBy(57));
    }

    @Test
    void holdsNoneWhenTheWaitForOneIsOverAndSaysWhich() {
        engine.answer = attempt -> attempt.spec.key().key().equals("b")
                ? new AcquireOutcome.TimedOut(SECOND, 1, null)
                : new AcquireOutcome.Granted(attempt.grant);

        assertThatExceptionOfType(LockTimeoutException.class)
                .isThrownBy(() -> registry.acquireAll(requests("a", "b", "c")))
                .satisfies(e -> assertThat(e.key()).isEqualTo("b"));

        assertThat(engine.attempts).as("nothing is asked for in vain").hasSize(2);
        assertThat(engine.attempt(0).grant.releases).hasPositiveValue();
    }

    @Test
    void theTimeoutTellsHowLongTheWholeCallHasWaited() {
        engine.time.newLoop();
        engine.answer = attempt -> {
            engine.time.advance(SECOND);
            return attempt.spec.key().key().equals("b")
                    ? new AcquireOutcome.TimedOut(SECOND, 7, new Holder("another process", null))
                    : new AcquireOutcome.Granted(attempt.grant);
        };

        assertThatExceptionOfType(LockTimeoutException.class)
                .isThrownBy(() -> registry.acquireAll(
                        List.of(LockRequest.of("a"), LockRequest.of("b").waitTime(SECOND.multipliedBy(2)))))
                .withMessageContainingAll("\"b\"", "after waiting PT2S", "position 7", "another process")
                .satisfies(e -> assertThat(e.waited()).isEqualTo(SECOND.multipliedBy(2)))
                .satisfies(e -> assertThat(e.position()).isEqualTo(7))
                .satisfies(e -> assertThat(e.holder()).contains("another process"));
    }

    @Test
    void givesAllLocksBackTogetherAndWaitsForAllReleases() throws Exception {
        engine.answer = attempt -> {
            attempt.grant.answersRelease = false;
            return attempt.spec.key().key().equals("c")
                    ? new AcquireOutcome.TimedOut(SECOND, 1, null)
                    : new AcquireOutcome.Granted(attempt.grant);
        };
        var caller = TestThread.running(() -> registry.acquireAll(requests("a", "b", "c")));
        engine.attempt(2);
        caller.untilItWaits();

        assertThat(engine.attempt(0).grant.releases).hasPositiveValue();
        assertThat(engine.attempt(1).grant.releases).hasPositiveValue();
        assertThat(caller.isDone()).isFalse();
        engine.attempt(0).grant.releaseAnswer.complete(true);
        engine.attempt(1).grant.releaseAnswer.complete(true);
        assertThat(caller.failure()).isInstanceOf(LockTimeoutException.class);
    }

    @Test
    void changesToTheCollectionMeanwhileDoNotMatter() {
        List<LockRequest> wanted = new ArrayList<>(requests("b", "a"));
        engine.answer = attempt -> {
            wanted.add(0, LockRequest.of("another " + wanted.size()));
            return new AcquireOutcome.Granted(attempt.grant);
        };

        assertThat(registry.acquireAll(wanted)).extracting(LockHandle::key).containsExactly("b", "a");
    }

    @Test
    void asksForNothingIfOneRequestIsRefused() {
        DefaultLockRegistry prefixed = engine.granting().registry(2_000);
        List<LockRequest> wanted = List.of(LockRequest.of("a"), LockRequest.of("b".repeat(100)));

        assertThatIllegalArgumentException().isThrownBy(() -> prefixed.acquireAll(wanted));
        assertThatIllegalArgumentException().isThrownBy(() -> prefixed.acquireAllAsync(wanted));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> registry.acquireAll(List.of(
                        LockRequest.of("a"),
                        LockRequest.of("b").mode(LockMode.SHARED).data(LockData.of("by whom?")))));

        assertThat(engine.attempts).isEmpty();
    }

    @Test
    void holdsNoneWhenOneIsLostDuringTheWaitForAnother() {
        engine.answer = attempt -> {
            if (attempt.spec.key().key().equals("b")) {
                engine.attempts.get(0).grant.lose();
            }
            return new AcquireOutcome.Granted(attempt.grant);
        };

        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> registry.acquireAll(requests("a", "b")))
                .satisfies(e -> assertThat(e.key()).isEqualTo("a"));

        assertThat(engine.attempt(1).grant.releases).hasPositiveValue();
    }

    @Test
    void theWaitForOneEndsAtOnceWhenAnotherIsLost() throws Exception {
        engine.answer =
                attempt -> attempt.spec.key().key().equals("a") ? new AcquireOutcome.Granted(attempt.grant) : null;
        List<LockRequest> wanted =
                List.of(LockRequest.of("a"), LockRequest.of("b").waitForever(), LockRequest.of("c"));
        TestThread<List<LockHandle>> caller = TestThread.running(() -> registry.acquireAll(wanted));
        engine.attempt(1);
        caller.untilItWaits();

        engine.attempt(0).grant.lose();

        assertThat(caller.failure())
                .isInstanceOfSatisfying(
                        LockLostException.class, e -> assertThat(e.key()).isEqualTo("a"));
        assertThat(engine.attempts).as("nothing more is asked for").hasSize(2);
        assertThat(engine.attempt(1).abandons).hasValue(1);
    }

    @Test
    void holdsNoneWhenItsThreadIsInterruptedInTheWaitForOne() throws Exception {
        engine.answer =
                attempt -> attempt.spec.key().key().equals("a") ? new AcquireOutcome.Granted(attempt.grant) : null;
        var caller = TestThread.running(() -> registry.acquireAll(requests("a", "b")));
        engine.attempt(1);
        caller.untilItWaits();

        assertThat(caller.failureByInterrupt()).isInstanceOf(LockInterruptedException.class);
        assertThat(engine.attempt(0).grant.releases).hasPositiveValue();
        assertThat(engine.attempt(1).abandons).hasValue(1);
    }

    @Test
    void holdsNoneWhenItsThreadIsInterruptedJustAsTheLastDataIsWritten() throws Exception {
        engine.granting();
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        LockRequest last = LockRequest.of("a").holdAtLeast(SECOND).data(LockData.of("mine"));
        Thread caller = new Thread(() -> failure.complete(catchThrowable(() -> registry.acquireAll(List.of(last))))) {
            @Override
            public void interrupt() {
                super.interrupt();
                if (Thread.currentThread() == this) {
                    // It has heard of the interrupt, and keeps the flag.
                    engine.attempts.get(0).grant.putAnswer.complete(true);
                }
            }
        };
        caller.start();
        await().until(() -> caller.getState() == Thread.State.WAITING);

        caller.interrupt();

        assertThat(join(failure)).isInstanceOf(LockInterruptedException.class);
        await().untilAsserted(() -> assertThat(engine.attempt(0).grant.releases).hasValue(1));
        assertThat(engine.attempt(0).grant.limits.holdAtLeast())
                .as("nothing has run")
                .isNull();
    }

    @Test
    void anInterruptNamesTheLockThatWasWaitedFor() throws Exception {
        engine.answer =
                attempt -> attempt.spec.key().key().equals("a") ? new AcquireOutcome.Granted(attempt.grant) : null;
        List<LockRequest> wanted = List.of(LockRequest.of("a"), LockRequest.of("b"), LockRequest.of("c"));
        TestThread<Throwable> caller = TestThread.running(() -> catchThrowable(() -> registry.acquireAll(wanted)));

        caller.untilItWaits().interrupt();

        assertThat(caller.value()).isInstanceOf(LockInterruptedException.class).hasMessageContaining("\"b\"");
    }

    @Test
    void aWaitingThreadGetsItsAnswerEvenIfNoCallbackEverRuns() throws Exception {
        RegistryThreads stuck = new RegistryThreads(task -> {}, task -> task);
        DefaultLockRegistry locks = engine.registry(stuck, 0, SECOND);
        List<LockRequest> wanted =
                List.of(LockRequest.of("a").data(LockData.of("mine")), LockRequest.of("b"), LockRequest.of("c"));
        engine.answer = attempt -> {
            attempt.grant.putAnswer.complete(true);
            return new AcquireOutcome.Granted(attempt.grant);
        };
        assertThat(TestThread.running(() -> locks.acquireAll(wanted)).value()).hasSize(3);

        engine.answer = attempt -> {
            attempt.grant.putAnswer.complete(false);
            return new AcquireOutcome.Granted(attempt.grant);
        };
        assertThat(TestThread.running(() -> locks.acquireAll(wanted)).failure()).isInstanceOf(LockLostException.class);

        engine.answer = attempt -> attempt.spec.key().key().equals("c")
                ? new AcquireOutcome.TimedOut(SECOND, 1, null)
                : new AcquireOutcome.Granted(attempt.grant);
        assertThat(TestThread.running(() -> locks.acquireAll(wanted)).failure())
                .isInstanceOf(LockTimeoutException.class);
    }

    @Test
    void refusesTwoRequestsForOneLockAndAsksForNothing() {
        engine.granting();

        refused(
                () -> registry.acquireAll(List.of(
                        LockRequest.of("a"),
                        LockRequest.of("b"),
                        LockRequest.of("a").mode(LockMode.SHARED))),
                "\"a\"",
                "requested twice");

        assertThat(engine.attempts).isEmpty();
    }

    @Test
    void noRequestsGiveNoHandlesAndAClosedRegistryRefuses() {
        assertThat(registry.acquireAll(List.of())).isEmpty();
        engine.shutdown.complete(null);
        registry.close();
        thrown(LockClosedException.class, () -> registry.acquireAll(List.of(LockRequest.of("a"))));
    }

    // Without a thread that waits

    @Test
    void asksForEachLockWhenTheOneBeforeItIsGranted() {
        CompletableFuture<List<LockHandle>> answer = registry.acquireAllAsync(requests("b", "c", "a"));
        for (int i = 0; i < 3; i++) {
            assertThat(answer).isNotDone();
            FakeEngine.Attempt attempt = engine.attempt(i);
            assertThat(engine.attempts).hasSize(i + 1);
            attempt.outcome.complete(new AcquireOutcome.Granted(attempt.grant));
        }

        assertThat(asked()).containsExactly("a", "b", "c");
        assertThat(join(answer)).extracting(LockHandle::key).containsExactly("b", "c", "a");
        assertThat(join(answer)).allMatch(LockHandle::isValid);
    }

    @Test
    void theWaitOfAFutureEndsAtOnceWhenAnotherLockIsLost() {
        CompletableFuture<List<LockHandle>> answer = registry.acquireAllAsync(
                List.of(LockRequest.of("a"), LockRequest.of("b").waitForever()));
        engine.attempt(0).grant();
        FakeEngine.Attempt waits = engine.attempt(1);

        engine.attempt(0).grant.lose();

        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> join(answer))
                .withCauseInstanceOf(LockLostException.class);
        assertThat(waits.abandons).hasValue(1);
    }

    @Test
    void theWritesOfDataAreNotWaitedForOnceALockIsLost() throws Exception {
        engine.granting();
        List<LockRequest> wanted =
                List.of(LockRequest.of("a"), LockRequest.of("b").data(LockData.of("mine")));
        TestThread<List<LockHandle>> caller = TestThread.running(() -> registry.acquireAll(wanted));
        await().until(() -> !engine.attempt(1).grant.data.equals(LockData.EMPTY));

        engine.attempt(0).grant.lose();

        assertThat(caller.failure()).isInstanceOf(LockLostException.class);
        assertThat(engine.attempt(1).grant.releases).hasPositiveValue();
    }

    @Test
    void holdsNoneWhenTheDataOfOneCannotBeWritten() {
        StoreFailure refused = new StoreFailure(StoreFailure.Kind.REFUSED, "no permission", null);
        engine.answer = attempt -> {
            if (attempt.spec.key().key().equals("a")) {
                attempt.grant.putAnswer.complete(true);
            } else {
                attempt.grant.putAnswer.completeExceptionally(refused);
            }
            return new AcquireOutcome.Granted(attempt.grant);
        };
        LockData data = LockData.of("both are mine");

        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> join(registry.acquireAllAsync(List.of(
                        LockRequest.of("a").data(data), LockRequest.of("b").data(data)))))
                .withCauseInstanceOf(LockStoreException.class);

        assertThat(engine.attempt(0).grant.releases).hasValue(1);
        assertThat(engine.attempt(1).grant.releases).hasValue(1);
    }

    @Test
    void aCallCancelledWhileDataIsWrittenGivesAllLocksBackAtOnce() {
        engine.granting();
        LockData data = LockData.of("both are mine");
        CompletableFuture<List<LockHandle>> answer = registry.acquireAllAsync(
                List.of(LockRequest.of("a").data(data), LockRequest.of("b").data(data)));
        await().until(() -> engine.attempt(1).grant.data.equals(data));

        answer.cancel(false);

        await().untilAsserted(() -> {
            assertThat(engine.attempt(0).grant.releases).hasValue(1);
            assertThat(engine.attempt(1).grant.releases).hasValue(1);
        });
    }

    /** The engine's thread has better to do. */
    @Test
    void theFutureCompletesOnAThreadForCallbacks() {
        List<LockRequest> wanted = List.of(LockRequest.of("a").data(LockData.of("mine")));
        for (boolean isWritten : List.of(true, false)) {
            CompletableFuture<String> heardOn = registry.acquireAllAsync(wanted)
                    .handle((held, failure) -> Thread.currentThread().getName());
            FakeEngine.Attempt attempt = engine.attempt(isWritten ? 0 : 1);
            attempt.grant();
            await().until(() -> !attempt.grant.data.equals(LockData.EMPTY));
            attempt.grant.putAnswer.complete(isWritten);

            assertThat(join(heardOn)).startsWith("dynamolock-async");
        }
    }

    private List<String> asked() {
        return engine.attempts.stream().map(attempt -> attempt.spec.key().key()).toList();
    }

    private static List<LockRequest> requests(String... keys) {
        return Stream.of(keys).map(LockRequest::of).toList();
    }

    private static LockRequest request(String key, String namespace) {
        return LockRequest.of(key).namespace(namespace);
    }

    private static <T> T join(CompletableFuture<T> future) {
        return future.orTimeout(20, TimeUnit.SECONDS).join();
    }
}
