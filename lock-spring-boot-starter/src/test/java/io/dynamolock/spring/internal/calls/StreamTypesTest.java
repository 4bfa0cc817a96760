package io.dynamolock.spring.internal.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.FakeLockRegistry;
import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.OnTimeout;
import io.dynamolock.spring.aspect.AspectContext;
import io.dynamolock.spring.aspect.LockedProxy;
import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Maybe;
import io.reactivex.rxjava3.core.Observable;
import io.reactivex.rxjava3.core.Single;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

/** The types that Spring's registry knows, and threads that must not block. */
class StreamTypesTest {

    @AutoClose
    private final AspectContext context = new AspectContext(Work.class, TypedByItsClass.class);

    private final FakeLockRegistry locks = context.locks;
    private final Work work = context.bean(Work.class);

    /** Each element says whether its lock is held when it is made. */
    static class Work {

        private final Supplier<String> state;
        private final List<String> completions = new ArrayList<>();

        Work(FakeLockRegistry locks) {
            state = () -> locks.lastHandle().isReleased() ? "released" : "held";
        }

        public List<String> completions() {
            return completions;
        }

        @DynamoLocked(key = "'k'")
        public Single<String> single() {
            return Single.fromSupplier(state::get);
        }

        @DynamoLocked(key = "'k'", onTimeout = OnTimeout.SKIP)
        public Maybe<String> maybe() {
            return Maybe.fromSupplier(state::get);
        }

        @DynamoLocked(key = "'k'")
        public Completable completable() {
            return Completable.fromAction(() -> completions.add(state.get()));
        }

        @DynamoLocked(key = "'k'")
        public Flowable<String> flowable() {
            return Flowable.range(1, 2).map(each -> state.get());
        }

        @DynamoLocked(key = "'k'")
        public Observable<String> observable() {
            return Observable.range(1, 2).map(each -> state.get());
        }

        @DynamoLocked(key = "'k'")
        public Flow.Publisher<String> ofTheJdk() {
            return JdkFlowAdapter.publisherToFlowPublisher(Flux.range(1, 2).map(each -> state.get()));
        }

        @DynamoLocked(key = "'k'")
        public String blocking() {
            return "done";
        }
    }

    abstract static class Typed<T> {

        @DynamoLocked(key = "'k'")
        public abstract T run();
    }

    static class TypedByItsClass extends Typed<Mono<String>> {

        @Override
        public Mono<String> run() {
            return Mono.fromSupplier(() -> "done");
        }
    }

    @Test
    void everyTypeThatSpringKnowsHoldsTheLockUntilItEnds() {
        assertThat(work.single().blockingGet()).isEqualTo("held");
        assertThat(work.maybe().blockingGet()).isEqualTo("held");
        work.completable().blockingAwait();
        assertThat(work.completions()).containsExactly("held");
        assertThat(work.flowable().toList().blockingGet()).containsExactly("held", "held");
        assertThat(work.observable().toList().blockingGet()).containsExactly("held", "held");
        StepVerifier.create(JdkFlowAdapter.flowPublisherToFlux(work.ofTheJdk()))
                .expectNext("held", "held")
                .verifyComplete();
        assertThat(context.bean(TypedByItsClass.class).run().block()).isEqualTo("done");
        assertThat(locks.handles).hasSize(7).allMatch(FakeLockRegistry.FakeHandle::isReleased);
    }

    @Test
    void aTypeThatMayBeEmptyIsEmptyIfSkipped() {
        locks.timesOut = true;
        assertThat(work.maybe().blockingGet()).isNull();
    }

    @Test
    void aBlockingMethodIsRefusedOnAThreadThatMustNotBlock() {
        StepVerifier.create(Mono.fromCallable(work::blocking).subscribeOn(Schedulers.parallel()))
                .verifyErrorSatisfies(failure -> assertThat(failure)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageMatching(
                                "@DynamoLocked on Work\\.blocking\\(\\): the call would wait for its lock, and"
                                        + " the thread parallel-\\d+ must not block\\. Let the method return a Mono or a Flux, or"
                                        + " call it where blocking is allowed: .*"));
        assertThat(locks.requests).isEmpty();
        assertThat(Mono.fromCallable(work::blocking)
                        .subscribeOn(Schedulers.boundedElastic())
                        .block())
                .isEqualTo("done");
    }

    /** All that the registry grants or tells without blocking would wait with it. */
    @Test
    void aBlockingMethodIsRefusedOnAThreadOfTheRegistry() throws Exception {
        try (LockRegistry registry = RegistryBuilder.of(new InMemoryLockStore()).build()) {
            Work ofProxy = LockedProxy.of(new Work(locks), registry);
            LockHandle held = registry.acquire("other", Duration.ZERO);
            CompletableFuture<String> continued = registry.acquireAsync(
                            LockRequest.of("other").waitForever())
                    .thenApply(handle -> {
                        try (handle) {
                            return ofProxy.blocking();
                        }
                    });
            held.close();
            assertThatThrownBy(() -> continued.get(30, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll(
                            "the thread dynamolock-async-",
                            " must not block. Let the method return a CompletableFuture");
        }
    }
}
