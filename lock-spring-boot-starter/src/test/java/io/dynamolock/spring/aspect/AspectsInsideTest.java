package io.dynamolock.spring.aspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.FakeLockRegistry;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.autoconfigure.DynamoLockAspectAutoConfiguration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.aspectj.lang.JoinPoint;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.annotation.Before;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.core.publisher.Mono;

/** Aspects under the lock, which run later than the call and on another thread. */
class AspectsInsideTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(AopAutoConfiguration.class, DynamoLockAspectAutoConfiguration.class))
            .withBean(FakeLockRegistry.class)
            .withBean(Work.class)
            .withBean(Audit.class);

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
    void runForEachSubscriptionAndFindTheirCall() {
        runner.run(context -> {
            FakeLockRegistry locks = context.getBean(FakeLockRegistry.class);
            locks.holdsBack = true;
            Work work = context.getBean(Work.class);
            Mono<String> mono = work.mono();
            CompletableFuture<String> first = mono.toFuture();
            CompletableFuture<String> second = mono.toFuture();
            CompletableFuture<String> third = work.future();
            Thread granter = new Thread(
                    () -> {
                        locks.grantNext();
                        locks.grantNext();
                        locks.grantNext();
                    },
                    "granter");
            granter.start();
            for (CompletableFuture<String> answer : List.of(first, second, third)) {
                assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo("done");
            }
            assertThat(context.getBean(Audit.class).calls)
                    .containsExactly("mono on granter", "mono on granter", "future on granter");
        });
    }
}
