package io.dynamolock.spring.internal.calls;

import static io.dynamolock.spring.aspect.Bodies.failing;
import static io.dynamolock.spring.aspect.Bodies.never;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dynamolock.FakeLockRegistry;
import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import io.dynamolock.LockMode;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.LockTimeoutException;
import io.dynamolock.StandIn;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.LockKeyException;
import io.dynamolock.spring.annotation.OnLost;
import io.dynamolock.spring.annotation.OnTimeout;
import io.dynamolock.spring.aspect.AspectContext;
import io.dynamolock.spring.aspect.LockedProxy;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Methods that return a future hold their lock until it completes. */
class FutureMethodsTest {

    @AutoClose
    private final AspectContext context = new AspectContext(Work.class, Blocking.class);

    private final FakeLockRegistry locks = context.locks;
    private final Work work = context.bean(Work.class);
    private final CompletableFuture<String> body = new CompletableFuture<>();

    static class Work {

        @DynamoLocked(key = "#key")
        public CompletableFuture<String> run(String key, Supplier<CompletableFuture<String>> body) {
            return body.get();
        }

        @DynamoLocked(
                key = "#key",
                namespace = "orders",
                waitTime = "3s",
                maxHold = "2m",
                holdAtLeast = "1s",
                mode = LockMode.SHARED)
        public CompletionStage<String> stage(String key, Supplier<CompletableFuture<String>> body) {
            return body.get();
        }

        @DynamoLocked(key = "#key")
        public Future<String> future(String key, Future<String> result) {
            return result;
        }

        @DynamoLocked(key = "#key", onLost = OnLost.IGNORE)
        public CompletableFuture<String> ignoring(String key, Supplier<CompletableFuture<String>> body) {
            return body.get();
        }

        @DynamoLocked(key = "#key", onTimeout = OnTimeout.SKIP)
        public CompletableFuture<String> skipped(String key) {
            throw new AssertionError();
        }

        @DynamoLocked(key = "#key", onTimeout = OnTimeout.SKIP)
        public CompletableFuture<Optional<String>> skippedOptional(String key) {
            throw new AssertionError();
        }

        @DynamoLocked(key = "#keys")
        public CompletableFuture<String> several(List<String> keys) {
            throw new AssertionError();
        }
    }

    static class Blocking {

        private final Work work;

        Blocking(Work work) {
            this.work = work;
        }

        @DynamoLocked(key = "#key")
        public void starts(String key, CompletableFuture<String> body) {
            work.run(key, () -> body);
        }
    }

    @Test
    void theLockIsHeldUntilTheFutureCompletes() {
        CompletableFuture<String> answer = work.run("k", () -> body);
        assertThat(answer).isNotDone();
        assertThat(locks.lastHandle().isReleased()).isFalse();
        body.complete("done");
        assertThat(answer).isCompletedWithValue("done");
        assertThat(locks.lastHandle().isReleased()).isTrue();
    }

    @Test
    void theLockIsReleasedBeforeTheCallerHasTheResult() {
        CompletableFuture<String> answer = work.run("k", () -> body);
        List<Boolean> done = new ArrayList<>();
        locks.onRelease = () -> done.add(answer.isDone());
        body.complete("done");
        assertThat(done).containsExactly(false);
    }

    @Test
    void theMethodRunsWhenTheLockIsGrantedAndTheCallerIsNotBlocked() {
        locks.holdsBack = true;
        List<String> entered = new ArrayList<>();
        CompletableFuture<String> answer = work.run("k", () -> {
            entered.add("body");
            return CompletableFuture.completedFuture("done");
        });
        assertThat(answer).isNotDone();
        assertThat(entered).isEmpty();
        locks.grantNext();
        assertThat(answer).isCompletedWithValue("done");
    }

    @Test
    void everyAttributeWorksAsForBlockingMethods() {
        work.stage("k", () -> body);
        assertThat(locks.onlyRequest())
                .isEqualTo(LockRequest.of("k")
                        .namespace("orders")
                        .name("Work.stage")
                        .waitTime(Duration.ofSeconds(3))
                        .maxHold(Duration.ofMinutes(2))
                        .holdAtLeast(Duration.ofSeconds(1))
                        .caller("future of Work.stage")
                        .mode(LockMode.SHARED));
    }

    @Test
    void aFailureOfTheWorkIsTheCallersAndReleases() {
        CompletableFuture<String> answer = work.run("k", () -> body);
        body.completeExceptionally(new IllegalStateException("disk full"));
        assertFailed(answer, IllegalStateException.class, "disk full");
        assertThat(locks.lastHandle().isReleased()).isTrue();
    }

    @Test
    void whatTheMethodThrowsIsToldByTheFuture() {
        assertFailed(work.run("k", failing("no")), IllegalStateException.class, "no");
        assertThat(locks.lastHandle().isReleased()).isTrue();
    }

    @Test
    void cancellingTheAnswerCancelsTheWorkAndReleases() {
        CompletableFuture<String> answer = work.run("k", () -> body);
        answer.cancel(true);
        assertThat(body).isCancelled();
        assertThat(locks.lastHandle().isReleased()).isTrue();
    }

    @Test
    void cancellingWhileItWaitsLeavesTheQueueAndTheMethodIsNotEntered() {
        locks.holdsBack = true;
        CompletableFuture<String> answer = work.run("k", never());
        answer.cancel(true);
        assertThat(locks.waiting.get(0).future()).isCancelled();
        assertThat(locks.grantNext()).isFalse();
    }

    @Test
    void aCallerThatCompletesTheAnswerItselfEndsTheHold() {
        CompletableFuture<String> answer = work.run("k", () -> body);
        answer.complete("mine");
        assertThat(locks.lastHandle().isReleased()).isTrue();
        assertThat(answer).isCompletedWithValue("mine");
    }

    @Test
    void aLostLockFailsTheFutureAtOnceAndCancelsTheWork() {
        CompletableFuture<String> answer = work.run("k", () -> body);
        locks.lastHandle().lose();
        assertFailed(answer, LockLostException.class, "was lost");
        assertThat(body).isCancelled();
        assertThat(locks.lastHandle().isReleased()).isTrue();
    }

    @Test
    void aLossWhileTheMethodRunsCancelsTheFutureThatItReturns() {
        CompletableFuture<String> answer = work.run("k", () -> {
            locks.lastHandle().lose();
            return body;
        });
        assertFailed(answer, LockLostException.class, "was lost");
        assertThat(body).isCancelled();
    }

    @Test
    void aLossThatIsIgnoredChangesNothing() {
        CompletableFuture<String> answer = work.ignoring("k", () -> body);
        locks.lastHandle().lose();
        assertThat(answer).isNotDone();
        body.complete("done");
        assertThat(answer).isCompletedWithValue("done");
    }

    @Test
    void aTimeoutFailsTheFutureAndTheMethodIsNotEntered() {
        locks.timesOut = true;
        assertFailed(work.run("k", never()), LockTimeoutException.class, "Did not get the lock");
    }

    @Test
    void aSkippedMethodCompletesWithNothing() {
        locks.timesOut = true;
        assertThat(work.skipped("k")).isCompletedWithValue(null);
        assertThat(work.skippedOptional("k")).isCompletedWithValue(Optional.empty());
    }

    @Test
    void aBadKeyAndARegistryThatAnswersNullAreToldByTheFuture() {
        assertFailed(work.run(" ", () -> body), LockKeyException.class, "the key is blank");
        locks.answersNull = true;
        assertFailed(work.run("k", () -> body), IllegalStateException.class, "answered null");
    }

    @Test
    void aFutureMustTellWhenItEnds() {
        FutureTask<String> task = new FutureTask<>(() -> "done");
        assertFailed(work.future("k", task), IllegalStateException.class, "a FutureTask, which does not tell when");
        assertThat(task).isCancelled();
        assertThat(locks.lastHandle().isReleased()).isTrue();

        FutureTask<String> finished = new FutureTask<>(() -> "done");
        finished.run();
        assertThat((CompletableFuture<String>) work.future("k", finished)).isCompletedWithValue("done");
        assertThat((CompletableFuture<String>) work.future("k", body)).isNotDone();
    }

    @Test
    void aFinishedFutureOfAnyKindFailsWithItsOwnFailure() {
        FutureTask<String> failed = new FutureTask<>(() -> {
            throw new IOException("disk full");
        });
        failed.run();
        assertFailed(work.future("k", failed), IOException.class, "disk full");
        assertThat(locks.lastHandle().isReleased()).isTrue();
    }

    @Test
    void whatDependsOnTheAnswerSeesTheFailureAsOfTheFutureItself() {
        CompletableFuture<String> dependent = body.thenApply(value -> {
            throw new IllegalStateException(value);
        });
        CompletableFuture<String> answer = work.run("k", () -> dependent);
        body.complete("no");
        List<Throwable> seen = new ArrayList<>();
        dependent.whenComplete((value, failure) -> seen.add(failure));
        answer.whenComplete((value, failure) -> seen.add(failure));
        assertThat(seen).hasOnlyElementsOfType(CompletionException.class);
        assertThat(seen.get(1)).isSameAs(seen.get(0));
    }

    @Test
    void aNestedMethodSharesTheLockWhichIsHeldUntilBothHaveEnded() {
        CompletableFuture<String> inner = new CompletableFuture<>();
        AtomicReference<CompletableFuture<String>> innerAnswer = new AtomicReference<>();
        CompletableFuture<String> answer = work.run("k", () -> {
            innerAnswer.set(work.run("k", () -> inner));
            return body;
        });
        assertThat(locks.requests).hasSize(1);
        body.complete("outer");
        assertThat(answer).isCompletedWithValue("outer");
        assertThat(locks.lastHandle().isReleased()).isFalse();
        inner.complete("inner");
        assertThat(innerAnswer.get()).isCompletedWithValue("inner");
        assertThat(locks.lastHandle().isReleased()).isTrue();
    }

    @Test
    void aBlockingMethodsLockIsHeldUntilTheFuturesHaveEndedThatBeganUnderIt() {
        context.bean(Blocking.class).starts("k", body);
        assertThat(locks.requests).hasSize(1);
        assertThat(locks.lastHandle().isReleased()).isFalse();
        body.complete("done");
        assertThat(locks.lastHandle().isReleased()).isTrue();
    }

    @Test
    void theThreadOfAMethodThatHasReturnedHoldsNothing() {
        work.run("k", () -> body);
        work.run("k", () -> new CompletableFuture<>());
        assertThat(locks.requests).hasSize(2);
    }

    @Test
    void callsInsideDoNotPileUpCallbacks() {
        work.run("k", () -> {
            for (int i = 0; i < 50; i++) {
                work.run("k", () -> CompletableFuture.completedFuture(""));
            }
            return body;
        });
        assertThat(locks.lastHandle().callbacks()).isEqualTo(1);
    }

    private static void assertFailed(Future<?> answer, Class<? extends Throwable> type, String message) {
        assertThat(answer).isDone();
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(((CompletableFuture<?>) answer)::join)
                .satisfies(failure ->
                        assertThat(failure.getCause()).isInstanceOf(type).hasMessageContaining(message));
    }

    /** As a method that is to give its caller no say returns it: it cannot even be asked. */
    private CompletableFuture<String> minimal() {
        return (CompletableFuture<String>) body.minimalCompletionStage();
    }

    @Test
    void aFutureThatCannotBeCancelledKeepsNoLock() {
        work.run("k", this::minimal).cancel(true);
        assertThat(locks.lastHandle().isReleased()).isTrue();

        CompletableFuture<String> answer = work.run("k", this::minimal);
        locks.lastHandle().lose();
        assertFailed(answer, LockLostException.class, "was lost");
        assertThat(locks.lastHandle().isReleased()).isTrue();
    }

    @Test
    void aMinimalFutureIsAnAnswerAsAnyOther() {
        CompletableFuture<String> answer = work.run("k", this::minimal);
        body.complete("done");
        assertThat(answer).isCompletedWithValue("done");
        assertThat(locks.lastHandle().isReleased()).isTrue();
    }

    @Test
    void aGrantAtOnceRunsTheMethodOnAnotherThreadThanItsCallers() throws Exception {
        Work ofProxy = LockedProxy.of(new Work(), new FakeLockRegistry());
        assertThat(ofProxy.run(
                                "k",
                                () -> CompletableFuture.completedFuture(
                                        Thread.currentThread().getName()))
                        .get(30, TimeUnit.SECONDS))
                .startsWith("dynamolock-granted-");
    }

    @Test
    void withoutAnotherThreadTheCallersThreadRunsTheMethod() {
        context.immediateGrantExecutor = task -> {
            throw new RejectedExecutionException("no thread");
        };
        assertThat(work.run("k", () -> CompletableFuture.completedFuture("done")))
                .isCompletedWithValue("done");
        assertThat(locks.lastHandle().isReleased()).isTrue();
    }

    @Test
    void aGrantThatMeetsACancelIsGivenBackAndTheMethodIsNotEntered() {
        List<Runnable> granted = new ArrayList<>();
        context.immediateGrantExecutor = granted::add;
        CompletableFuture<String> answer = work.run("k", never());
        answer.cancel(true);
        assertThat(locks.lastHandle().isReleased()).isFalse();
        granted.forEach(Runnable::run);
        assertThat(locks.lastHandle().isReleased()).isTrue();
    }

    /** Answers one lock with a handle that cannot be listened to, and several with none. */
    private static LockRegistry broken(FakeLockRegistry locks) {
        return StandIn.of(LockRegistry.class, locks, (method, arguments) -> switch (method) {
            case "acquireAsync" ->
                locks.acquireAsync((LockRequest) arguments[0])
                        .thenApply(handle -> StandIn.of(LockHandle.class, handle, (of, none) -> {
                            if (of.equals("onLost")) {
                                throw new IllegalStateException("no listeners");
                            }
                            return null;
                        }));
            case "acquireAllAsync" -> CompletableFuture.completedFuture(List.of());
            default -> null;
        });
    }

    @Test
    void anUnexpectedFailureAfterTheGrantFailsTheFutureAndKeepsNoLock() {
        Work ofProxy = LockedProxy.of(new Work(), broken(locks));
        assertThatThrownBy(() -> ofProxy.run("k", () -> body).get(30, TimeUnit.SECONDS))
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no listeners");
        // On a thread of its own, which may still be at it when the caller has the answer.
        await().until(body::isCancelled);
        assertThat(locks.lastHandle().isReleased()).isTrue();

        assertThatThrownBy(() -> ofProxy.several(List.of("a", "b")).get(30, TimeUnit.SECONDS))
                .hasCauseInstanceOf(IndexOutOfBoundsException.class);
    }
}
