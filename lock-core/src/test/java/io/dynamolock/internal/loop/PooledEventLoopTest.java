package io.dynamolock.internal.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PooledEventLoopTest {

    private final PooledEventLoop loop = new PooledEventLoop("the-loop");

    @AfterEach
    void shutDown() {
        loop.shutdown();
    }

    @Test
    void runsEveryStepOnDaemonThreadsInOrder() {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            int step = i;
            assertThat(loop.execute(() -> order.add(step))).isTrue();
        }

        Thread thread = resultOf(Thread::currentThread);

        assertThat(thread.getName()).isEqualTo("the-loop");
        assertThat(thread.isDaemon()).isTrue();
        assertThat(order).hasSize(100).isSorted();
    }

    @Test
    void isCurrentWithinItsStepsAndTimersOnly() {
        CompletableFuture<Boolean> inTimer = new CompletableFuture<>();
        loop.schedule(() -> inTimer.complete(loop.isCurrent()), Duration.ZERO);

        assertThat(resultOf(loop::isCurrent)).isTrue();
        assertThat(join(inTimer)).isTrue();
        assertThat(loop.isCurrent()).isFalse();
    }

    @Test
    void aStepThatFailsDoesNotEndTheLoop() {
        loop.execute(() -> {
            throw new IllegalStateException("expected by this test");
        });
        loop.schedule(
                () -> {
                    throw new AssertionError("expected by this test");
                },
                Duration.ZERO);

        assertThat(resultOf(() -> "alive")).isEqualTo("alive");
    }

    @Test
    void aTimerRunsAfterItsDelay() {
        long start = System.nanoTime();
        CompletableFuture<Long> ran = new CompletableFuture<>();

        loop.schedule(() -> ran.complete(System.nanoTime()), Duration.ofMillis(20));

        assertThat(join(ran) - start).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(20));
    }

    @Test
    void stepsHandedInBeforeTheShutdownStillRun() {
        Thread thread = resultOf(Thread::currentThread);
        List<String> ran = new ArrayList<>();
        CompletableFuture<Void> go = new CompletableFuture<>();
        loop.execute(() -> join(go));
        loop.execute(loop::shutdown);
        loop.execute(() -> ran.add("step"));

        go.complete(null);
        joinThread(thread);

        assertThat(ran).containsExactly("step");
    }

    @Test
    void afterTheShutdownNothingIsAccepted() {
        List<String> ran = new ArrayList<>();
        Thread thread = resultOf(Thread::currentThread);
        loop.shutdown();

        assertThat(loop.execute(() -> ran.add("step"))).isFalse();
        loop.schedule(() -> ran.add("timer"), Duration.ZERO).cancel();

        joinThread(thread);
        assertThat(thread.isAlive()).as("its thread has ended").isFalse();
        assertThat(ran).isEmpty();
    }

    @Test
    void timersAreForgottenAtTheShutdownSoThatTheThreadEnds() {
        Thread thread = resultOf(Thread::currentThread);
        loop.schedule(() -> {}, Duration.ofHours(1));

        loop.shutdown();

        joinThread(thread);
        assertThat(thread.isAlive()).isFalse();
    }

    @Test
    void theThreadOfTheLastStepMakesTheCallThatItHasBegun() {
        CompletableFuture<List<Thread>> seen = new CompletableFuture<>();
        loop.execute(() -> {
            Thread ofStep = Thread.currentThread();
            loop.calls().execute(() -> {
                Thread ofCall = Thread.currentThread();
                boolean isOutside = !loop.isCurrent();
                seen.complete(isOutside ? List.of(ofStep, ofCall) : List.of());
            });
        });

        assertThat(Set.copyOf(join(seen))).hasSize(1);
    }

    @Test
    void theThreadOfACallRunsTheStepThatTheCallEndsWith() {
        CompletableFuture<Thread> ofCall = new CompletableFuture<>();
        CompletableFuture<Thread> ofStep = new CompletableFuture<>();
        loop.execute(() -> loop.calls().execute(() -> {
            ofCall.complete(Thread.currentThread());
            loop.executeAfterCall(() -> ofStep.complete(loop.isCurrent() ? Thread.currentThread() : null));
        }));

        assertThat(join(ofStep)).isSameAs(join(ofCall));
    }

    @Test
    void whatACallThatRanItsLastStepBeginsGoesOn() {
        CompletableFuture<String> end = new CompletableFuture<>();
        loop.execute(() -> loop.calls()
                .execute(() -> loop.executeAfterCall(() -> loop.calls()
                        .execute(() -> loop.executeAfterCall(() -> loop.execute(() -> end.complete("reached")))))));

        assertThat(join(end)).isEqualTo("reached");
    }

    @Test
    void aCallOfAnotherLoopDoesNotRunTheStepsOfThisLoop() {
        PooledEventLoop other = new PooledEventLoop("other-loop");
        CompletableFuture<Thread> ofStep = new CompletableFuture<>();
        other.execute(() ->
                other.calls().execute(() -> loop.executeAfterCall(() -> ofStep.complete(Thread.currentThread()))));

        assertThat(join(ofStep).getName()).isEqualTo("the-loop");
        other.shutdown();
    }

    @Test
    void aCallMayHandInAStepAndWaitForIt() {
        CompletableFuture<String> seen = new CompletableFuture<>();
        loop.execute(() -> loop.calls().execute(() -> seen.complete(resultOf(() -> "has run"))));

        assertThat(join(seen)).isEqualTo("has run");
    }

    @Test
    void aCallThatBlocksHoldsUpNeitherStepsNorOtherCalls() {
        CompletableFuture<Void> answer = new CompletableFuture<>();
        List<CompletableFuture<Void>> calls = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            CompletableFuture<Void> begun = new CompletableFuture<>();
            calls.add(begun);
            loop.execute(() -> loop.calls().execute(() -> {
                begun.complete(null);
                join(answer);
            }));
        }

        calls.forEach(PooledEventLoopTest::join);
        assertThat(resultOf(() -> "alive")).isEqualTo("alive");
        answer.complete(null);
    }

    @Test
    void aCallDoesNotWaitForTheStepsBehindIt() {
        CompletableFuture<Void> called = new CompletableFuture<>();
        CompletableFuture<Boolean> beforeTheEnd = new CompletableFuture<>();
        loop.execute(() -> {
            loop.execute(() -> {
                join(called);
                beforeTheEnd.complete(true);
            });
            loop.calls().execute(() -> called.complete(null));
        });

        assertThat(join(beforeTheEnd)).isTrue();
    }

    @Test
    void aTimerThatIsCancelledByTheLoopDoesNotRunThoughItsTimeHasCome() {
        List<String> ran = new ArrayList<>();
        loop.execute(() -> {
            EventLoop.Timer timer = loop.schedule(() -> ran.add("cancelled"), Duration.ZERO);
            join(new CompletableFuture<Void>().completeOnTimeout(null, 50, TimeUnit.MILLISECONDS));
            timer.cancel();
        });

        assertThat(resultOf(() -> List.copyOf(ran))).isEmpty();
    }

    private <T> T resultOf(Callable<T> call) {
        CompletableFuture<T> result = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                result.complete(call.call());
            } catch (Exception e) {
                result.completeExceptionally(e);
            }
        });
        return join(result);
    }

    private static <T> T join(CompletableFuture<T> future) {
        return future.orTimeout(10, TimeUnit.SECONDS).join();
    }

    private static void joinThread(Thread thread) {
        try {
            thread.join(10_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
