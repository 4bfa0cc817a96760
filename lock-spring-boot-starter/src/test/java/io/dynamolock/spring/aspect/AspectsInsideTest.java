package io.dynamolock.spring.aspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.spring.annotation.DynamoLocked;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.aspectj.lang.JoinPoint;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.annotation.Before;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** Aspects under the lock, which run later than the call and on another thread. */
class AspectsInsideTest {

    @AutoClose
    private final AspectContext context = AspectContext.booted(Work.class, Audit.class);

    static class Work {

        @DynamoLocked(key = "'k'")
        public Mono<String> mono() {
            return Mono.just("done");
        }

        @DynamoLocked(key = "'k'")
        public CompletableFuture<String> future() {
            return CompletableFuture.completedFuture("done");
        }
    }

    @Aspect
    static class Audit {

        final List<String> calls = new CopyOnWriteArrayList<>();

        @Before("execution(* io.dynamolock.spring.aspect.AspectsInsideTest.Work.*(..))")
        public void note(JoinPoint call) {
            calls.add(call.getSignature().getName() + " on "
                    + Thread.currentThread().getName());
        }
    }

    @Test
    void aspectsInsideRunForEachSubscriptionAndFindTheirCall() throws Exception {
        context.locks.holdsBack = true;
        Work work = context.bean(Work.class);
        Mono<String> mono = work.mono();
        CompletableFuture<String> first = mono.toFuture();
        CompletableFuture<String> second = mono.toFuture();
        CompletableFuture<String> third = work.future();
        Thread granter = new Thread(
                () -> {
                    context.locks.grantNext();
                    context.locks.grantNext();
                    context.locks.grantNext();
                },
                "granter");
        granter.start();
        for (CompletableFuture<String> answer : List.of(first, second, third)) {
            assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo("done");
        }
        assertThat(context.bean(Audit.class).calls)
                .containsExactly("mono on granter", "mono on granter", "future on granter");
    }
}
