package io.dynamolock.spring.internal.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dynamolock.FakeLockRegistry;
import io.dynamolock.LockEvictedException;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.OnTimeout;
import io.dynamolock.spring.aspect.AspectContext;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** A caller that an operator has taken out of the queue is told so: its wait was not over. */
class EvictedCallerTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    @AutoClose
    private final AspectContext context = new AspectContext(Work.class);

    private final FakeLockRegistry locks = context.locks;
    private final Work work = context.bean(Work.class);

    @BeforeEach
    void everybodyIsEvicted() {
        locks.evicts = true;
    }

    static class Work {

        @DynamoLocked(key = "#id", fallbackMethod = "instead")
        public String method(String id) {
            throw new AssertionError();
        }

        String instead(String id) {
            return "fallback";
        }

        @DynamoLocked(key = "#id", onTimeout = OnTimeout.SKIP)
        public void skipped(String id) {
            throw new AssertionError();
        }

        @DynamoLocked(key = "#id", waitTime = "0", onTimeout = OnTimeout.SKIP)
        public void atOnce(String id) {
            throw new AssertionError();
        }

        @DynamoLocked(key = "#id", fallbackMethod = "insteadOfFuture")
        public CompletableFuture<String> future(String id) {
            throw new AssertionError();
        }

        CompletableFuture<String> insteadOfFuture(String id) {
            return CompletableFuture.completedFuture("fallback");
        }

        @DynamoLocked(key = "#id", onTimeout = OnTimeout.SKIP)
        public Mono<String> mono(String id) {
            return Mono.error(new AssertionError());
        }

        @DynamoLocked(key = "#id", onTimeout = OnTimeout.SKIP)
        public Flux<String> flux(String id) {
            return Flux.error(new AssertionError());
        }
    }

    @Test
    void aMethodThrowsWhateverItSaysOfItsTimeout() {
        for (Runnable call : new Runnable[] {() -> work.method("7"), () -> work.skipped("7"), () -> work.atOnce("7")}) {
            assertThatExceptionOfType(LockEvictedException.class)
                    .isThrownBy(call::run)
                    .satisfies(e -> assertThat(e.key()).endsWith("7"));
        }
    }

    @Test
    void aFutureFailsWhateverItsMethodSaysOfItsTimeout() {
        assertThat(work.future("7"))
                .failsWithin(LONG)
                .withThrowableThat()
                .withCauseInstanceOf(LockEvictedException.class);
    }

    @Test
    void aStreamFailsWhateverItsMethodSaysOfItsTimeout() {
        StepVerifier.create(work.mono("7"))
                .expectError(LockEvictedException.class)
                .verify(LONG);
        StepVerifier.create(work.flux("7"))
                .expectError(LockEvictedException.class)
                .verify(LONG);
    }
}
