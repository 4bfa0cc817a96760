package io.dynamolock.spring.internal.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.FakeLockRegistry;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.aspect.AspectContext;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Spring's {@code @Async} in front of the lock. */
class AsyncMethodsTest {

    @AutoClose
    private final AspectContext context = new AspectContext(Executors.class, Work.class);

    private final FakeLockRegistry locks = context.locks;

    @Configuration(proxyBeanMethods = false)
    @EnableAsync(proxyTargetClass = true)
    static class Executors {

        @Bean
        ThreadPoolTaskExecutor taskExecutor() {
            ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
            executor.setThreadNamePrefix("of-the-application-");
            return executor;
        }
    }

    static class Work {

        @Async
        @DynamoLocked(key = "'k'")
        public CompletableFuture<String> run(Supplier<CompletableFuture<String>> body) {
            return body.get();
        }

        @Async
        @DynamoLocked(key = "'k'")
        public void nothing(Runnable body) {
            body.run();
        }
    }

    @Test
    void theMethodRunsOnTheThreadOfTheExecutorWhichWaitedForTheLock() throws Exception {
        // Nobody grants what is asked for without blocking.
        locks.holdsBack = true;
        CompletableFuture<String> answer = context.bean(Work.class)
                .run(() ->
                        CompletableFuture.completedFuture(Thread.currentThread().getName()));
        assertThat(answer.get(30, TimeUnit.SECONDS)).startsWith("of-the-application-");
        assertThat(locks.onlyRequest().key()).isEqualTo("k");
        assertThat(locks.lastHandle().isReleased()).isTrue();
    }

    @Test
    void theLockIsHeldUntilTheFutureOfTheMethodCompletes() throws Exception {
        CompletableFuture<String> body = new CompletableFuture<>();
        CompletableFuture<Void> entered = new CompletableFuture<>();
        CompletableFuture<String> answer = context.bean(Work.class).run(() -> {
            entered.complete(null);
            return body;
        });
        entered.get(30, TimeUnit.SECONDS);
        assertThat(locks.lastHandle().isReleased()).isFalse();
        body.complete("done");
        assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo("done");
        assertThat(locks.lastHandle().isReleased()).isTrue();
    }

    @Test
    void aVoidMethodHoldsItsLockWhileItRuns() throws Exception {
        CompletableFuture<Boolean> released = new CompletableFuture<>();
        context.bean(Work.class)
                .nothing(() -> released.complete(locks.lastHandle().isReleased()));
        assertThat(released.get(30, TimeUnit.SECONDS)).isFalse();
        Awaitility.await().until(() -> locks.lastHandle().isReleased());
    }

    /** Nobody has said {@code @EnableAsync}: the call runs on the caller's thread, which must not be blocked. */
    @Test
    void withoutEnableAsyncANonBlockingThreadAsksWithoutBlocking() {
        try (AspectContext disabled = new AspectContext(Work.class)) {
            disabled.locks.holdsBack = true;
            Work work = disabled.bean(Work.class);
            CompletableFuture<String> answer = Mono.fromCallable(
                            () -> work.run(() -> CompletableFuture.completedFuture("done")))
                    .subscribeOn(Schedulers.parallel())
                    .block();
            assertThat(answer).isNotDone();
            disabled.locks.grantNext();
            assertThat(answer).isCompletedWithValue("done");
        }
    }
}
