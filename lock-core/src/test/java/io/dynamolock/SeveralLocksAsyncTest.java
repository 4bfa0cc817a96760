package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.engine.AcquireOutcome;
import io.dynamolock.internal.store.StoreFailure;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Several locks, all or none, without a thread that waits. */
class SeveralLocksAsyncTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final FakeEngine engine = new FakeEngine();
    private final DefaultLockRegistry registry = engine.registry();

    @Test
    void eachIsAskedForWhenTheOneBeforeItInTheOrderIsGranted() {
        CompletableFuture<List<LockHandle>> answer =
                registry.acquireAllAsync(List.of(LockRequest.of("b"), LockRequest.of("c"), LockRequest.of("a")));
        for (int i = 0; i < 3; i++) {
            assertThat(answer).isNotDone();
            FakeEngine.Attempt attempt = engine.attempt(i);
            assertThat(engine.attempts).hasSize(i + 1);
            attempt.outcome.complete(new AcquireOutcome.Granted(attempt.grant));
        }

        assertThat(engine.attempts)
                .extracting(attempt -> attempt.spec.key().key())
                .containsExactly("a", "b", "c");
        assertThat(join(answer)).extracting(LockHandle::key).containsExactly("b", "c", "a");
        assertThat(join(answer)).allMatch(LockHandle::isValid);
    }

    @Test
    void allWaitsAreCountedFromTheCall() {
        engine.time.newLoop();
        engine.answer = attempt -> {
            engine.time.advance(SECOND);
            return new AcquireOutcome.Granted(attempt.grant);
        };
        join(registry.acquireAllAsync(List.of(
                LockRequest.of("a").wait(SECOND.multipliedBy(3)),
                LockRequest.of("b").wait(SECOND.multipliedBy(3)),
                LockRequest.of("c").wait(SECOND))));

        assertThat(engine.attempts)
                .extracting(attempt -> attempt.spec.waitLimit())
                .containsExactly(SECOND.multipliedBy(3), SECOND.multipliedBy(2), Duration.ZERO);
    }

    @Test
    void holdsNoneWhenTheWaitForOneIsOver() {
        engine.answer = attempt -> attempt.spec.key().key().equals("b")
                ? new AcquireOutcome.TimedOut(SECOND, 1, null)
                : new AcquireOutcome.Granted(attempt.grant);

        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> join(registry.acquireAllAsync(
                        List.of(LockRequest.of("a"), LockRequest.of("b"), LockRequest.of("c")))))
                .withCauseInstanceOf(LockTimeoutException.class);

        assertThat(engine.attempts).as("nothing is asked for in vain").hasSize(2);
        assertThat(engine.attempt(0).grant.releases).hasValue(1);
    }

    @Test
    void holdsNoneWhenOneIsLostDuringTheWaitForAnother() {
        engine.answer = attempt -> {
            engine.attempts.get(0).grant.lose();
            return new AcquireOutcome.Granted(attempt.grant);
        };

        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> join(registry.acquireAllAsync(List.of(LockRequest.of("a"), LockRequest.of("b")))))
                .withCauseInstanceOf(LockLostException.class);

        await().untilAsserted(() -> assertThat(engine.attempt(1).grant.releases).hasValue(1));
    }

    @Test
    void theTimeoutTellsHowLongTheWholeCallHasWaited() {
        engine.time.newLoop();
        engine.answer = attempt -> {
            engine.time.advance(SECOND);
            return attempt.spec.key().key().equals("b")
                    ? new AcquireOutcome.TimedOut(SECOND, 1, null)
                    : new AcquireOutcome.Granted(attempt.grant);
        };

        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> join(registry.acquireAllAsync(List.of(LockRequest.of("a"), LockRequest.of("b")))))
                .withMessageContaining("after waiting PT2S");
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
    void cancelledItLeavesTheQueueAndGivesBackWhatWasGranted() {
        engine.answer =
                attempt -> attempt.spec.key().key().equals("a") ? new AcquireOutcome.Granted(attempt.grant) : null;
        CompletableFuture<List<LockHandle>> answer =
                registry.acquireAllAsync(List.of(LockRequest.of("a"), LockRequest.of("b"), LockRequest.of("c")));
        engine.attempt(1);

        answer.cancel(false);

        await().untilAsserted(() -> {
            assertThat(engine.attempt(0).grant.releases).hasValue(1);
            assertThat(engine.attempt(1).abandons).hasValue(1);
        });
        assertThat(engine.attempts).hasSize(2);
    }

    @Test
    void cancelledWhileTheDataIsWrittenItGivesAllBackAtOnce() {
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

    @Test
    void refusesToAskForOneLockTwiceAndAClosedRegistryGivesNone() {
        engine.granting();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> registry.acquireAllAsync(List.of(LockRequest.of("a"), LockRequest.of("a"))))
                .withMessageContaining("asked for twice");
        assertThat(join(registry.acquireAllAsync(List.of()))).isEmpty();
        engine.shutdown.complete(null);
        registry.close();
        assertThatThrownBy(() -> registry.acquireAllAsync(List.of(LockRequest.of("a"))))
                .isInstanceOf(LockClosedException.class);
    }

    private static <T> T join(CompletableFuture<T> future) {
        return future.orTimeout(20, TimeUnit.SECONDS).join();
    }
}
