package io.dynamolock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.FakeLockRegistry;
import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Maybe;
import io.reactivex.rxjava3.core.Observable;
import io.reactivex.rxjava3.core.Single;
import java.util.List;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

/** The types that Spring's registry knows, and threads that must not block. */
class StreamTypesTest {

    private final AspectContext context = new AspectContext(Work.class, TypedByItsClass.class);
    private final FakeLockRegistry locks = context.locks;
    private final Work work = context.bean(Work.class);

    @AfterEach
    void close() {
        context.close();
    }

    static class Work {

        @DynamoLocked(key = "'k'")
        public Single<String> single() {
            return Single.just("a");
        }

        @DynamoLocked(key = "'k'", onTimeout = OnTimeout.SKIP)
        public Maybe<String> maybe() {
            return Maybe.just("a");
        }

        @DynamoLocked(key = "'k'")
        public Completable completable() {
            return Completable.complete();
        }

        @DynamoLocked(key = "'k'")
        public Flowable<String> flowable() {
            return Flowable.just("a", "b");
        }

        @DynamoLocked(key = "'k'")
        public Observable<String> observable() {
            return Observable.just("a", "b");
        }

        @DynamoLocked(key = "'k'")
        public Flow.Publisher<String> ofTheJdk() {
            return JdkFlowAdapter.publisherToFlowPublisher(Flux.just("a", "b"));
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
        assertThat(work.single().blockingGet()).isEqualTo("a");
        assertThat(work.maybe().blockingGet()).isEqualTo("a");
        work.completable().blockingAwait();
        assertThat(work.flowable().toList().blockingGet()).isEqualTo(List.of("a", "b"));
        assertThat(work.observable().toList().blockingGet()).isEqualTo(List.of("a", "b"));
        StepVerifier.create(JdkFlowAdapter.flowPublisherToFlux(work.ofTheJdk()))
                .expectNext("a", "b")
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
}
