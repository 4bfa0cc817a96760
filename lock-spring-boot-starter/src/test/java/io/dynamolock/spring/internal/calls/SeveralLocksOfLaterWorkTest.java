package io.dynamolock.spring.internal.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.FakeLockRegistry;
import io.dynamolock.FakeLockRegistry.FakeHandle;
import io.dynamolock.LockLostException;
import io.dynamolock.LockRequest;
import io.dynamolock.LockTimeoutException;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.OnLost;
import io.dynamolock.spring.aspect.AspectContext;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Methods that return futures or streams, and want several locks. */
class SeveralLocksOfLaterWorkTest {

    @AutoClose
    private final AspectContext context = new AspectContext(Work.class);

    private final FakeLockRegistry locks = context.locks;
    private final Work work = context.bean(Work.class);

    static class Work {

        @DynamoLocked(key = "#keys")
        public CompletableFuture<String> future(List<String> keys, Supplier<CompletableFuture<String>> body) {
            return body.get();
        }

        @DynamoLocked(key = "#keys")
        public Mono<String> mono(List<String> keys, Supplier<Mono<String>> body) {
            return body.get();
        }

        @DynamoLocked(key = "'a'")
        @DynamoLocked(key = "'b'", namespace = "unminded", onLost = OnLost.IGNORE)
        public Flux<String> flux(Flux<String> body) {
            return body;
        }

        @DynamoLocked(key = "'a'")
        @DynamoLocked(key = "'b'", namespace = "unminded", onLost = OnLost.IGNORE)
        public CompletableFuture<String> minded(CompletableFuture<String> body) {
            return body;
        }
    }

    @Test
    void aFutureHoldsAllOfThemFromItsBeginningToItsEnd() {
        CompletableFuture<String> body = new CompletableFuture<>();
        CompletableFuture<String> answer = work.future(List.of("b", "a"), () -> {
            assertThat(locks.handles).hasSize(2).allMatch(FakeHandle::isValid);
            return body;
        });
        assertThat(locks.together)
                .singleElement()
                .satisfies(together ->
                        assertThat(together).extracting(LockRequest::key).containsExactly("b", "a"));
        assertThat(locks.handles).noneMatch(FakeHandle::isReleased);

        body.complete("done");

        assertThat(answer.join()).isEqualTo("done");
        assertThat(locks.handles).allMatch(FakeHandle::isReleased);
    }

    @Test
    void aStreamHoldsAllOfThemForEachSubscription() {
        Mono<String> mono = work.mono(List.of("b", "a"), () -> {
            assertThat(locks.held()).hasSize(2);
            return Mono.just("done");
        });
        assertThat(mono.block()).isEqualTo("done");
        assertThat(locks.held()).isEmpty();
        assertThat(mono.block()).isEqualTo("done");
        assertThat(locks.handles).hasSize(4).allMatch(FakeHandle::isReleased);
    }

    @Test
    void ifOneOfSeveralLocksTimesOutTheOthersAreReleased() {
        locks.timesOutFor = request -> request.key().equals("b");
        Supplier<CompletableFuture<String>> never = () -> {
            throw new AssertionError();
        };

        assertThatThrownBy(() -> work.future(List.of("a", "b"), never).join())
                .hasCauseInstanceOf(LockTimeoutException.class)
                .hasMessageContaining("\"b\"");
        assertThatThrownBy(() -> work.mono(List.of("a", "b"), () -> Mono.error(new AssertionError()))
                        .block())
                .isInstanceOf(LockTimeoutException.class);

        assertThat(locks.handles).hasSize(2).allMatch(FakeHandle::isReleased);
    }

    @Test
    void aCallerThatHasEnoughWhileItWaitsGivesBackWhatItHas() {
        locks.holdsBack = true;
        CompletableFuture<String> answer = work.future(List.of("a", "b"), CompletableFuture::new);
        Disposable subscription = work.mono(List.of("a", "b"), Mono::never).subscribe();
        locks.grantNext();
        locks.grantNext();
        assertThat(locks.held()).hasSize(2);

        answer.cancel(true);
        subscription.dispose();

        assertThat(locks.held()).isEmpty();
        assertThat(locks.waiting).allMatch(waiting -> waiting.future().isCancelled());
    }

    @Test
    void aCallThatLosesTheFirstLockWhileItWaitsForTheNextEndsAtOnce() {
        locks.holdsBack = true;
        CompletableFuture<String> answer = work.future(List.of("a", "b"), CompletableFuture::new);
        locks.grantNext();

        locks.lastHandle().lose();

        assertThat(answer).isCompletedExceptionally();
        assertThatThrownBy(answer::join).hasCauseInstanceOf(LockLostException.class);
        assertThat(locks.waiting).allMatch(waiting -> waiting.future().isCancelled());
    }

    @Test
    void withOneOfThemHeldOnlyTheOthersAreAskedForAndTheOuterOneStays() {
        CompletableFuture<String> body = new CompletableFuture<>();
        CompletableFuture<String> inner = new CompletableFuture<>();
        CompletableFuture<String> outer = work.future(List.of("a"), () -> {
            assertThat(work.future(List.of("b", "a"), () -> inner)).isNotDone();
            return body;
        });
        assertThat(locks.requests).extracting(LockRequest::key).containsExactly("a", "b");

        body.complete("outer");
        assertThat(locks.held()).as("the inner work goes on").hasSize(2);
        inner.complete("inner");
        assertThat(locks.held()).isEmpty();
        assertThat(outer).isCompletedWithValue("outer");

        work.mono(List.of("a"), () -> work.mono(List.of("b", "a"), () -> Mono.just("c")))
                .block();
        assertThat(locks.requests).extracting(LockRequest::key).containsExactly("a", "b", "a", "b");
        assertThat(locks.held()).isEmpty();
    }

    @Test
    void theOthersAreReleasedBeforeTheSubscriberIsToldOfALoss() {
        locks.mayRelease = new CompletableFuture<>();
        CompletableFuture<Throwable> end = new CompletableFuture<>();
        work.mono(List.of("a", "b"), Mono::never).subscribe(element -> {}, end::complete);
        locks.handles.get(0).lose();
        assertThat(end).isNotDone();
        locks.mayRelease.complete(null);
        assertThat(end.join()).isInstanceOf(LockLostException.class);
    }

    @Test
    void eachLossIsDealtWithAsItsAnnotationSays() {
        Sinks.Many<String> elements = Sinks.many().unicast().onBackpressureBuffer();
        CompletableFuture<Throwable> end = new CompletableFuture<>();
        work.flux(elements.asFlux()).subscribe(element -> {}, end::complete);
        CompletableFuture<String> future = work.minded(new CompletableFuture<>());

        locks.handles.get(1).lose();
        locks.handles.get(3).lose();
        assertThat(end).isNotDone();
        assertThat(future).isNotDone();

        locks.handles.get(0).lose();
        locks.handles.get(2).lose();
        assertThat(end.join()).isInstanceOf(LockLostException.class);
        assertThatThrownBy(future::join).hasCauseInstanceOf(LockLostException.class);
    }
}
