package io.dynamolock.spring.internal.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dynamolock.LockLostException;
import io.dynamolock.LockRegistry;
import io.dynamolock.OneClock;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.aspect.LockedProxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

/** A lock that is really lost, on a clock that the test moves. */
class LossUnderWayTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final OneClock clock = new OneClock();

    @AutoClose
    private final LockRegistry locks = clock.registry("me");

    private final Work work = LockedProxy.of(new Work(), locks);

    static class Work {

        @DynamoLocked(key = "'k'", maxHold = "1s")
        public Flux<String> flux(Flux<String> body) {
            return body;
        }

        @DynamoLocked(key = "'k'", maxHold = "1s")
        public CompletableFuture<String> future(CompletableFuture<Void> entered, CompletableFuture<String> body) {
            entered.complete(null);
            return body;
        }
    }

    @Test
    void aLossEndsTheStreamAndTheNextSubscriberHasTheLock() {
        TestPublisher<String> body = TestPublisher.create();
        StepVerifier.create(work.flux(body.flux().startWith("begun")))
                .expectNext("begun")
                .then(() -> clock.advance(Duration.ofSeconds(2)))
                .expectErrorSatisfies(failure -> assertThat(failure)
                        .isInstanceOf(LockLostException.class)
                        .hasMessageContaining("its maxHold is over"))
                .verify(LONG);
        StepVerifier.create(work.flux(Flux.just("next")))
                .expectNext("next")
                .expectComplete()
                .verify(LONG);
    }

    @Test
    void aLossFailsTheFutureAndTheNextCallerHasTheLock() throws Exception {
        CompletableFuture<Void> entered = new CompletableFuture<>();
        CompletableFuture<String> answer = work.future(entered, new CompletableFuture<>());
        entered.get(30, TimeUnit.SECONDS);
        clock.advance(Duration.ofSeconds(2));
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> answer.get(30, TimeUnit.SECONDS))
                .withCauseInstanceOf(LockLostException.class);
        assertThat(work.future(new CompletableFuture<>(), CompletableFuture.completedFuture("next"))
                        .get(30, TimeUnit.SECONDS))
                .isEqualTo("next");
    }
}
