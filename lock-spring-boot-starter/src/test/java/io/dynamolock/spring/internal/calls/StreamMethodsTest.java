package io.dynamolock.spring.internal.calls;

import static io.dynamolock.spring.aspect.Bodies.failing;
import static io.dynamolock.spring.aspect.Bodies.never;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.FakeLockRegistry;
import io.dynamolock.LockLostException;
import io.dynamolock.LockMode;
import io.dynamolock.LockRequest;
import io.dynamolock.LockTimeoutException;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.LockKeyException;
import io.dynamolock.spring.annotation.OnLost;
import io.dynamolock.spring.annotation.OnTimeout;
import io.dynamolock.spring.aspect.AspectContext;
import io.dynamolock.spring.aspect.LockedProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

/** Methods that return a stream: each subscription holds a lock of its own until it ends. */
class StreamMethodsTest {

    @AutoClose
    private final AspectContext context = new AspectContext(Work.class);

    private final FakeLockRegistry locks = context.locks;
    private final Work work = context.bean(Work.class);

    static class Work {

        @DynamoLocked(key = "#key")
        public Mono<String> mono(String key, Supplier<Mono<String>> body) {
            return body.get();
        }

        @DynamoLocked(key = "#key")
        public Flux<String> flux(String key, Supplier<Flux<String>> body) {
            return body.get();
        }

        @DynamoLocked(
                key = "#key",
                namespace = "orders",
                waitTime = "3s",
                maxHold = "2m",
                holdAtLeast = "1s",
                mode = LockMode.SHARED)
        public Publisher<String> publisher(String key, Supplier<Flux<String>> body) {
            return body.get();
        }

        @DynamoLocked(key = "#key", onLost = OnLost.IGNORE)
        public Flux<String> ignoring(String key, Supplier<Flux<String>> body) {
            return body.get();
        }

        @DynamoLocked(key = "#key", onTimeout = OnTimeout.SKIP)
        public Flux<String> skipped(String key) {
            throw new AssertionError();
        }
    }

    @Test
    void nothingHappensBeforeASubscription() {
        Mono<String> mono = work.mono("k", never());
        assertThat(mono).isNotNull();
        assertThat(locks.requests).isEmpty();
    }

    @Test
    void eachSubscriptionAcquiresAnewAndCallsTheMethodAnew() {
        AtomicInteger calls = new AtomicInteger();
        Mono<String> mono = work.mono("k", () -> Mono.just("call " + calls.incrementAndGet()));
        assertThat(mono.block()).isEqualTo("call 1");
        assertThat(mono.block()).isEqualTo("call 2");
        assertThat(locks.handles).hasSize(2).allMatch(FakeLockRegistry.FakeHandle::isReleased);
    }

    @Test
    void theLockIsHeldUntilTheStreamCompletes() {
        TestPublisher<String> body = TestPublisher.create();
        StepVerifier.create(work.flux("k", body::flux))
                .then(() -> body.next("a", "b"))
                .expectNext("a", "b")
                .then(() -> assertThat(locks.lastHandle().isReleased()).isFalse())
                .then(body::complete)
                .verifyComplete();
        assertThat(locks.lastHandle().isReleased()).isTrue();
    }

    @Test
    void theLockOfAMonoIsReleasedBeforeItsSubscriberHasTheResult() {
        List<String> seen = new ArrayList<>();
        locks.onRelease = () -> seen.add("released");
        work.mono("k", () -> Mono.just("result")).subscribe(seen::add, failure -> {}, () -> seen.add("complete"));
        assertThat(seen).containsExactly("released", "result", "complete");
    }

    @Test
    void theSourceOfAMonoCompletesAndIsNotCancelled() {
        List<String> seen = new ArrayList<>();
        Mono<String> source = Mono.just("result").doFinally(signal -> seen.add(signal.toString()));
        assertThat(work.mono("k", () -> source).block()).isEqualTo("result");
        assertThat(seen).containsExactly("onComplete");
    }

    @Test
    void theSubscriberIsNotBlockedWhileItWaits() {
        locks.holdsBack = true;
        List<String> seen = new ArrayList<>();
        work.mono("k", () -> Mono.just("done")).subscribe(seen::add);
        assertThat(seen).isEmpty();
        locks.grantNext();
        assertThat(seen).containsExactly("done");
    }

    @Test
    void everyAttributeWorksAsForBlockingMethods() {
        StepVerifier.create(work.publisher("k", () -> Flux.just("a")))
                .expectNext("a")
                .verifyComplete();
        assertThat(locks.onlyRequest())
                .isEqualTo(LockRequest.of("k")
                        .namespace("orders")
                        .name("Work.publisher")
                        .waitTime(Duration.ofSeconds(3))
                        .maxHold(Duration.ofMinutes(2))
                        .holdAtLeast(Duration.ofSeconds(1))
                        .caller("subscriber of Work.publisher")
                        .mode(LockMode.SHARED));
    }

    @Test
    void aFailureReleasesAndIsTheSubscribers() {
        StepVerifier.create(work.flux("k", () -> Flux.error(new IllegalStateException("disk full"))))
                .verifyErrorMessage("disk full");
        assertThat(locks.lastHandle().isReleased()).isTrue();
    }

    @Test
    void whatTheMethodThrowsIsTheSubscribersToo() {
        StepVerifier.create(work.flux("k", failing("no"))).verifyErrorMessage("no");
        assertThat(locks.lastHandle().isReleased()).isTrue();
    }

    @Test
    void aStreamThatIsCancelledEarlyReleases() {
        TestPublisher<String> body = TestPublisher.create();
        StepVerifier.create(work.flux("k", body::flux).take(1))
                .then(() -> body.next("a"))
                .expectNext("a")
                .verifyComplete();
        body.assertCancelled();
        assertThat(locks.lastHandle().isReleased()).isTrue();
    }

    @Test
    void aSubscriberThatCancelsWhileItWaitsLeavesTheQueue() {
        locks.holdsBack = true;
        work.flux("k", never()).subscribe().dispose();
        assertThat(locks.waiting.get(0).future()).isCancelled();
        assertThat(locks.grantNext()).isFalse();
    }

    @Test
    void aGrantThatMeetsACancelIsGivenBackAndTheMethodIsNotEntered() {
        List<Runnable> granted = new ArrayList<>();
        context.immediateGrantExecutor = granted::add;
        work.flux("k", never()).subscribe().dispose();
        assertThat(locks.lastHandle().isReleased()).isFalse();
        granted.forEach(Runnable::run);
        assertThat(locks.lastHandle().isReleased()).isTrue();
    }

    @Test
    void aSubscriberThatCancelsBeforeAnythingIsAskedForAsksForNothing() {
        work.flux("k", never()).subscribe(new BaseSubscriber<>() {
            @Override
            protected void hookOnSubscribe(org.reactivestreams.Subscription subscription) {
                cancel();
            }
        });
        assertThat(locks.requests).isEmpty();
    }

    @Test
    void aGrantAtOnceRunsTheMethodOnAnotherThreadThanTheSubscribers() {
        Work ofProxy = LockedProxy.of(new Work(), new FakeLockRegistry());
        assertThat(ofProxy.mono("k", () -> Mono.just(Thread.currentThread().getName()))
                        .block(Duration.ofSeconds(30)))
                .startsWith("dynamolock-granted-");
    }

    /** Reactor lets them pass, and they end in a future that nobody looks at. */
    @Test
    void anErrorOfTheJvmReleasesAndIsTheSubscribers() {
        List<Throwable> told = new ArrayList<>();
        for (Error fatal : List.of(new NoClassDefFoundError("gone"), new StackOverflowError())) {
            work.mono("k", () -> {
                        throw fatal;
                    })
                    .subscribe(element -> {}, told::add);
            work.flux(
                            "k",
                            () -> Flux.defer(() -> {
                                throw fatal;
                            }))
                    .subscribe(element -> {}, told::add);
            assertThat(told).hasSize(2).allMatch(failure -> failure == fatal);
            told.clear();
        }
        assertThat(locks.handles).hasSize(4).allMatch(FakeLockRegistry.FakeHandle::isReleased);
    }

    @Test
    void aSourceThatCannotBeCancelledKeepsNoLock() {
        Flux<String> stubborn = Flux.from(subscriber -> subscriber.onSubscribe(new org.reactivestreams.Subscription() {
            @Override
            public void request(long n) {}

            @Override
            public void cancel() {
                throw new UnsupportedOperationException("no");
            }
        }));
        List<Throwable> thrown = new ArrayList<>();
        Thread.currentThread().setUncaughtExceptionHandler((thread, failure) -> thrown.add(failure));
        work.flux("k", () -> stubborn).subscribe().dispose();
        assertThat(locks.lastHandle().isReleased()).isTrue();

        List<Throwable> told = new ArrayList<>();
        work.flux("k", () -> stubborn).subscribe(element -> {}, told::add);
        locks.lastHandle().lose();
        assertThat(told).singleElement().isInstanceOf(LockLostException.class);
        assertThat(locks.lastHandle().isReleased()).isTrue();
        assertThat(thrown).extracting(Throwable::getMessage).containsExactly("no", "no");
        Thread.currentThread().setUncaughtExceptionHandler(null);
    }

    @Test
    void aLostLockEndsTheStreamAndCancelsItsSource() {
        TestPublisher<String> body = TestPublisher.create();
        StepVerifier.create(work.flux("k", body::flux))
                .then(() -> body.next("a"))
                .expectNext("a")
                .then(() -> locks.lastHandle().lose())
                .verifyError(LockLostException.class);
        body.assertCancelled();
        assertThat(locks.lastHandle().isReleased()).isTrue();
    }

    @Test
    void anElementThatComesAfterTheLossIsNotPassedOn() {
        Sinks.Many<String> body = Sinks.many().unicast().onBackpressureBuffer();
        StepVerifier.create(work.flux(
                        "k",
                        () -> body.asFlux().doOnNext(element -> {
                            if (element.equals("b")) {
                                locks.lastHandle().loseUntold();
                            }
                        })))
                .then(() -> body.tryEmitNext("a"))
                .expectNext("a")
                .then(() -> body.tryEmitNext("b"))
                .verifyError(LockLostException.class);
    }

    @Test
    void aStreamThatCompletesAfterTheLossFails() {
        StepVerifier.create(work.flux(
                        "k",
                        () -> Flux.<String>empty()
                                .doOnComplete(() -> locks.lastHandle().loseUntold())))
                .verifyError(LockLostException.class);
    }

    @Test
    void aFailureThatMeetsALossCarriesIt() {
        StepVerifier.create(work.flux(
                        "k",
                        () -> Flux.defer(() -> {
                            locks.lastHandle().loseUntold();
                            return Flux.error(new IllegalStateException("mine"));
                        })))
                .verifyErrorSatisfies(failure -> assertThat(failure)
                        .hasMessage("mine")
                        .satisfies(mine ->
                                assertThat(mine.getSuppressed()).hasAtLeastOneElementOfType(LockLostException.class)));
    }

    @Test
    void aLossThatIsIgnoredChangesNothing() {
        StepVerifier.create(work.ignoring(
                        "k",
                        () -> Flux.just("a", "b")
                                .doOnNext(element -> locks.lastHandle().lose())))
                .expectNext("a", "b")
                .verifyComplete();
    }

    @Test
    void aTimeoutIsTheSubscribersAndTheMethodIsNotEntered() {
        locks.timesOut = true;
        StepVerifier.create(work.mono("k", never())).verifyError(LockTimeoutException.class);
    }

    @Test
    void aSkippedStreamIsEmpty() {
        locks.timesOut = true;
        StepVerifier.create(work.skipped("k")).verifyComplete();
    }

    @Test
    void aBadKeyAndARegistryThatAnswersNullAreToldByTheStream() {
        StepVerifier.create(work.mono(" ", Mono::empty)).verifyError(LockKeyException.class);
        locks.answersNull = true;
        StepVerifier.create(work.mono("k", Mono::empty))
                .verifyErrorSatisfies(failure -> assertThat(failure).hasMessageContaining("answered null"));
    }

    @Test
    void theSubscriberSetsThePace() {
        List<Long> requested = new ArrayList<>();
        StepVerifier.create(work.flux("k", () -> Flux.just("a", "b", "c").doOnRequest(requested::add)), 0)
                .thenRequest(1)
                .expectNext("a")
                .thenRequest(2)
                .expectNext("b", "c")
                .verifyComplete();
        assertThat(requested).containsExactly(1L, 2L);
    }

    @Test
    void retriesOfTheSubscriberAreSubscriptionsOfTheirOwn() {
        AtomicInteger calls = new AtomicInteger();
        Mono<String> mono = work.mono(
                "k",
                () -> calls.incrementAndGet() < 3 ? Mono.error(new IllegalStateException("not yet")) : Mono.just("ok"));
        assertThat(mono.retry(5).block()).isEqualTo("ok");
        assertThat(locks.handles).hasSize(3).allMatch(FakeLockRegistry.FakeHandle::isReleased);
    }

    @Test
    void aReleaseThatFailsDoesNotHideTheResult() {
        locks.onRelease = () -> {
            throw new IllegalStateException("store down");
        };
        assertThat(work.mono("k", () -> Mono.just("done")).block()).isEqualTo("done");
    }

    @Test
    void aMethodThatReturnsNullGivesAnEmptyStream() {
        StepVerifier.create(work.mono("k", () -> null)).verifyComplete();
        assertThat(locks.lastHandle().isReleased()).isTrue();
    }
}
