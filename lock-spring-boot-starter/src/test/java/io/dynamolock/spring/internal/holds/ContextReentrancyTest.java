package io.dynamolock.spring.internal.holds;

import static io.dynamolock.spring.aspect.Bodies.never;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.FakeLockRegistry;
import io.dynamolock.LockLostException;
import io.dynamolock.LockMode;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.OnLost;
import io.dynamolock.spring.aspect.AspectContext;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.util.context.ContextView;

/**
 * Whoever subscribes under a lock enters other methods with the same key, as the Reactor context says and not the
 * thread.
 */
class ContextReentrancyTest {

    @AutoClose
    private final AspectContext context = new AspectContext(Work.class);

    private final FakeLockRegistry locks = context.locks;
    private final Work work = context.bean(Work.class);

    static class Work {

        @DynamoLocked(key = "#key")
        public Mono<String> run(String key, Supplier<Mono<String>> body) {
            return body.get();
        }

        @DynamoLocked(key = "#key", mode = LockMode.SHARED)
        public Mono<String> shared(String key, Supplier<Mono<String>> body) {
            return body.get();
        }

        @DynamoLocked(key = "#key", onLost = OnLost.IGNORE)
        public Mono<String> ignoring(String key, Supplier<Mono<String>> body) {
            return body.get();
        }

        @DynamoLocked(key = "#key")
        public String blocking(String key, Supplier<String> body) {
            return body.get();
        }
    }

    @Test
    void aStreamInsideAnotherEntersWithTheSameKeyWithoutAsking() {
        Mono<String> inner = work.run("k", () -> {
            assertThat(locks.lastHandle().isReleased()).isFalse();
            return Mono.just("inner");
        });
        Mono<String> outer = work.run(
                "k",
                () -> inner.flatMap(first -> inner)
                        .doOnNext(second ->
                                assertThat(locks.lastHandle().isReleased()).isFalse()));
        assertThat(outer.block()).isEqualTo("inner");
        assertThat(locks.requests).hasSize(1);
        assertThat(locks.lastHandle().isReleased()).isTrue();
    }

    @Test
    void anotherThreadOfTheSameSubscriberEntersToo() {
        Mono<String> outer = work.run(
                "k",
                () -> Mono.just("")
                        .publishOn(Schedulers.parallel())
                        .flatMap(any -> work.run("k", () -> Mono.just("inner"))));
        assertThat(outer.block()).isEqualTo("inner");
        assertThat(locks.requests).hasSize(1);
    }

    @Test
    void otherKeysAreOtherLocks() {
        work.run("k", () -> work.run("l", () -> Mono.just(""))).block();
        assertThat(locks.requests).hasSize(2);
        assertThat(locks.handles).allMatch(FakeLockRegistry.FakeHandle::isReleased);
    }

    @Test
    void aSubscriberOfItsOwnIsAnotherCallerOnTheSameThread() {
        work.run("k", () -> {
                    work.run("k", () -> Mono.just("")).subscribe();
                    return Mono.just("");
                })
                .block();
        assertThat(locks.requests).hasSize(2);
    }

    @Test
    void theThreadsOwnLocksAreNotTheStreams() {
        work.blocking("k", () -> {
            work.run("k", () -> Mono.just("")).subscribe();
            return "";
        });
        assertThat(locks.requests).hasSize(2);
    }

    @Test
    void theLockIsHeldUntilAllHaveEndedThatEnteredIt() {
        Sinks.One<String> late = Sinks.one();
        work.run(
                        "k",
                        () -> Mono.deferContextual(held -> {
                            work.run("k", late::asMono).contextWrite(held).subscribe();
                            return Mono.just("");
                        }))
                .block();
        assertThat(locks.requests).hasSize(1);
        assertThat(locks.lastHandle().isReleased()).isFalse();
        late.tryEmitValue("");
        assertThat(locks.lastHandle().isReleased()).isTrue();
    }

    @Test
    void aContextThatOutlivesTheHoldOpensNothing() {
        AtomicReference<ContextView> kept = new AtomicReference<>();
        work.run(
                        "k",
                        () -> Mono.deferContextual(held -> {
                            kept.set(held);
                            return Mono.just("");
                        }))
                .block();
        work.run("k", () -> Mono.just("")).contextWrite(kept.get()).block();
        assertThat(locks.requests).hasSize(2);
        assertThat(locks.handles).allMatch(FakeLockRegistry.FakeHandle::isReleased);
    }

    @Test
    void aSharedHoldDoesNotCoverAMethodThatWantsTheLockAlone() {
        StepVerifier.create(work.shared("k", () -> work.run("k", () -> Mono.just(""))))
                .verifyErrorSatisfies(failure -> assertThat(failure)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("Work.run(String, Supplier)")
                        .hasMessageContaining("its caller shares it already"));
        assertThat(locks.handles).allMatch(FakeLockRegistry.FakeHandle::isReleased);
    }

    @Test
    void aMethodInsideDoesNotBeginUnderALockThatIsLost() {
        StepVerifier.create(work.ignoring("k", () -> {
                    locks.lastHandle().lose();
                    return work.run("k", never());
                }))
                .verifyError(LockLostException.class);
        assertThat(locks.requests).hasSize(1);
    }

    @Test
    void callsInsideDoNotPileUpCallbacks() {
        work.run("k", () -> work.run("k", () -> Mono.just("")).repeat(50).then(Mono.just("")))
                .block();
        assertThat(locks.lastHandle().callbacks()).isEqualTo(1);
    }
}
