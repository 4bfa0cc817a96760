package io.dynamolock.spring.internal.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.FakeLockRegistry;
import io.dynamolock.LockTimeoutException;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.aspect.AspectContext;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.publisher.PublisherProbe;

/** What methods that return futures or streams give whose wait is over. */
class WaitTimeoutOfLaterWorkTest {

    @AutoClose
    private final AspectContext context = new AspectContext(Work.class);

    private final FakeLockRegistry locks = context.locks;
    private final Work work = context.bean(Work.class);

    @BeforeEach
    void noLockIsFree() {
        locks.timesOut = true;
    }

    static class Busy extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Busy(Throwable cause) {
            super(cause);
        }
    }

    static class Work {

        private final CompletableFuture<String> laterFuture = new CompletableFuture<>();
        private final PublisherProbe<String> laterFlux = PublisherProbe.of(Flux.never());

        public CompletableFuture<String> laterFuture() {
            return laterFuture;
        }

        public PublisherProbe<String> laterFlux() {
            return laterFlux;
        }

        @DynamoLocked(key = "#id", fallbackMethod = "later")
        public CompletableFuture<String> future(String id) {
            throw new AssertionError();
        }

        CompletableFuture<String> later(String id, LockTimeoutException timeout) throws IOException {
            if (id.equals("bad")) {
                throw new IOException(timeout.key());
            }
            return laterFuture;
        }

        @DynamoLocked(key = "#id", fallbackMethod = "laterMono")
        public Mono<String> mono(String id) {
            return Mono.error(new AssertionError());
        }

        Mono<String> laterMono(String id) throws IOException {
            if (id.equals("bad")) {
                throw new IOException("no queue");
            }
            return Mono.just("later " + id);
        }

        @DynamoLocked(key = "#id", fallbackMethod = "laterFlux")
        public Flux<String> flux(String id) {
            return Flux.error(new AssertionError());
        }

        Flux<String> laterFlux(String id) {
            return Flux.just("one", "two").concatWith(laterFlux.flux());
        }

        @DynamoLocked(key = "#id", timeoutException = Busy.class)
        public CompletableFuture<String> busyFuture(String id) {
            throw new AssertionError();
        }

        @DynamoLocked(key = "#id", timeoutException = Busy.class)
        public Mono<String> busyMono(String id) {
            return Mono.error(new AssertionError());
        }
    }

    @Test
    void theFallbacksFutureIsTheAnswer() {
        CompletableFuture<String> answer = work.future("k");
        assertThat(answer).isNotDone();
        work.laterFuture().complete("later");
        assertThat(answer.join()).isEqualTo("later");
        assertThatThrownBy(() -> work.future("bad").join())
                .hasCauseInstanceOf(IOException.class)
                .hasMessageContaining("bad");
        assertThat(locks.handles).isEmpty();
    }

    @Test
    void aFailureOfTheFallbacksFutureIsTheAnswersAsItIs() {
        CompletionException failure = new CompletionException(new IOException("no queue"));
        CompletableFuture<String> answer = work.future("k");
        work.laterFuture().completeExceptionally(failure);
        assertThat(answer.handle((value, seen) -> seen).join()).isSameAs(failure);
    }

    @Test
    void aCallerThatHasEnoughCancelsTheFallbacksFuture() {
        work.future("k").cancel(true);
        assertThat(work.laterFuture()).isCancelled();
    }

    @Test
    void theFallbacksStreamIsTheAnswer() {
        assertThat(work.mono("k").block()).isEqualTo("later k");
        StepVerifier.create(work.mono("bad")).verifyErrorMessage("no queue");
        assertThat(locks.handles).isEmpty();
    }

    @Test
    void aSubscriberThatHasEnoughCancelsTheFallbacksStream() {
        List<String> elements = new CopyOnWriteArrayList<>();
        Disposable subscription = work.flux("k").subscribe(elements::add);
        assertThat(elements).containsExactly("one", "two");
        work.laterFlux().assertWasNotCancelled();

        subscription.dispose();

        work.laterFlux().assertWasCancelled();
    }

    @Test
    void anExceptionOfTheApplicationsEndsTheFutureOrTheStream() {
        assertThatThrownBy(() -> work.busyFuture("k").join())
                .hasCauseInstanceOf(Busy.class)
                .hasRootCauseInstanceOf(LockTimeoutException.class);
        StepVerifier.create(work.busyMono("k")).verifyError(Busy.class);
    }

    @Test
    void aCallerThatLeavesAsTheWaitEndsIsGivenNoFallback() {
        List<Runnable> answered = new ArrayList<>();
        context.immediateGrantExecutor = answered::add;

        work.future("k").cancel(true);
        work.flux("k").subscribe().dispose();
        answered.forEach(Runnable::run);

        assertThat(answered).hasSize(2);
        assertThat(work.laterFuture()).isNotDone();
        work.laterFlux().assertWasNotSubscribed();
    }
}
