package io.dynamolock.spring.internal.retries;

import static io.dynamolock.spring.aspect.Bodies.failing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.FakeLockRegistry;
import io.dynamolock.LockLostException;
import io.dynamolock.spring.annotation.CurrentLock;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.EnableDynamoLocks;
import io.dynamolock.spring.aspect.AspectContext;
import io.dynamolock.spring.aspect.Attempts;
import io.github.resilience4j.common.retry.configuration.CommonRetryConfigurationProperties.InstanceProperties;
import io.github.resilience4j.retry.annotation.Retry;
import io.github.resilience4j.spring6.retry.configure.RetryConfiguration;
import io.github.resilience4j.spring6.retry.configure.RetryConfigurationProperties;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * The attempts of Resilience4j at a method that returns a future: the later ones run on a thread of its own, and it
 * would go on with them whatever becomes of the call.
 */
class RetriedFutureTest {

    private final List<String> attempts = new CopyOnWriteArrayList<>();

    @AutoClose
    private final AspectContext context = AspectContext.bootedGrantingAtOnce(Application.class, Between.class);

    private final FakeLockRegistry locks = context.locks;
    private final Work work = context.bean(Work.class);

    static class Work {

        @Retry(name = "work")
        @DynamoLocked(key = "'k'")
        public CompletableFuture<String> run(Supplier<CompletableFuture<String>> body) {
            return body.get();
        }

        @Retry(name = "pending")
        @DynamoLocked(key = "'k'")
        public CompletableFuture<String> pending(Supplier<CompletableFuture<String>> body) {
            return body.get();
        }

        @Retry(name = "pending")
        @DynamoLocked(key = "'k'")
        public String pendingValue(Supplier<String> body) {
            return body.get();
        }
    }

    static class Inner {

        @DynamoLocked(key = "'k'")
        public void enter() {}
    }

    /** Knows texts only. */
    public static class IsPending implements Predicate<Object> {

        @Override
        public boolean test(Object result) {
            return ((String) result).equals("pending");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import({RetryConfiguration.class, Work.class, Inner.class})
    static class Application {

        @Bean
        RetryConfigurationProperties retries() {
            RetryConfigurationProperties properties = new RetryConfigurationProperties();
            properties
                    .getInstances()
                    .putAll(Map.of(
                            "work", retry(3, 100),
                            "pending", retry(3, 1).setResultPredicate(IsPending.class)));
            return properties;
        }
    }

    private static InstanceProperties retry(int attempts, int pauseInMillis) {
        return new InstanceProperties().setMaxAttempts(attempts).setWaitDuration(Duration.ofMillis(pauseInMillis));
    }

    /** Lies between the lock and the retry. */
    static class Between extends DefaultPointcutAdvisor {

        private static final long serialVersionUID = 1L;
        private final transient List<CompletableFuture<?>> seen = new CopyOnWriteArrayList<>();

        Between() {
            NameMatchMethodPointcut futures = new NameMatchMethodPointcut();
            futures.setClassFilter(type -> type == Work.class);
            futures.setMappedNames("run", "pending");
            setPointcut(futures);
            setAdvice((MethodInterceptor) call -> {
                CompletableFuture<?> answer = (CompletableFuture<?>) Objects.requireNonNull(call.proceed());
                seen.add(answer);
                return answer.copy();
            });
            setOrder(EnableDynamoLocks.DEFAULT_ORDER + 1);
        }
    }

    private Supplier<CompletableFuture<String>> giving(CompletableFuture<String> body) {
        return () -> {
            attempts.add("attempt");
            return body;
        };
    }

    private void noAttemptFollows(Consumer<CompletableFuture<String>> end) {
        CompletableFuture<String> running = new CompletableFuture<>();
        end.accept(work.run(giving(running)));
        assertThat(locks.lastHandle().isReleased()).isTrue();
        assertThat(running).as("the running attempt").isCancelled();

        end.accept(work.run(giving(CompletableFuture.failedFuture(new IllegalStateException("not yet")))));
        assertThat(locks.lastHandle().isReleased()).isTrue();

        // Attempts that are still to begin do so before the application has ended.
        context.close();
        assertThat(attempts).as("the first of each").hasSize(2);
    }

    @Test
    void afterACancelNoAttemptBeginsAndTheRunningOneIsCancelled() {
        noAttemptFollows(answer -> answer.cancel(true));
    }

    @Test
    void afterALossNoAttemptBeginsAndTheRunningOneIsCancelled() {
        noAttemptFollows(answer -> {
            locks.lastHandle().lose();
            assertThatThrownBy(answer::join).hasCauseInstanceOf(LockLostException.class);
        });
    }

    @Test
    void allAttemptsAreInsideTheLockOnWhateverThread() throws Exception {
        List<Boolean> released = new CopyOnWriteArrayList<>();
        CompletableFuture<String> answer = work.run(() -> {
            attempts.add(Thread.currentThread().getName());
            released.add(locks.lastHandle().isReleased());
            assertThat(CurrentLock.get().handle()).isSameAs(locks.lastHandle());
            context.bean(Inner.class).enter();
            return attempts.size() < 3
                    ? CompletableFuture.failedFuture(new IllegalStateException("not yet"))
                    : CompletableFuture.completedFuture("done");
        });
        assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo("done");
        assertThat(released).containsExactly(false, false, false);
        assertThat(attempts.get(1)).isNotEqualTo(attempts.get(0));
        assertThat(locks.requests).as("nobody waits for its own caller").hasSize(1);
        assertThat(locks.lastHandle().isReleased()).isTrue();
    }

    private CompletableFuture<String> failingOnce(Supplier<CompletableFuture<String>> then) {
        return work.run(() -> {
            attempts.add("attempt");
            return attempts.size() == 1
                    ? CompletableFuture.failedFuture(new IllegalStateException("not yet"))
                    : then.get();
        });
    }

    @Test
    void aCancelledCallKeepsItsLockUntilTheAttemptUnderWayHasReturned() throws Exception {
        CompletableFuture<String> running = new CompletableFuture<>();
        AtomicReference<CompletableFuture<String>> answer = new AtomicReference<>();
        CompletableFuture<Boolean> released = new CompletableFuture<>();
        answer.set(failingOnce(() -> {
            answer.get().cancel(true);
            released.complete(locks.lastHandle().isReleased());
            return running;
        }));
        assertThat(released.get(30, TimeUnit.SECONDS)).isFalse();
        Awaitility.await()
                .until(() -> running.isCancelled() && locks.lastHandle().isReleased());
        context.close();
        assertThat(attempts).hasSize(2);
    }

    /** Resilience4j leaves the future open for ever, and so the lock would be held. */
    @Test
    void whatALaterAttemptThrowsIsAFailureAsAnyOther() {
        CompletableFuture<String> answer = failingOnce(failing("broken"));
        assertThatThrownBy(() -> answer.get(30, TimeUnit.SECONDS))
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("broken");
        assertThat(attempts).hasSize(3);
        assertThat(locks.lastHandle().isReleased()).isTrue();
    }

    private final Attempts losing = new Attempts(locks);

    private void theLockOfAPendingFutureIsLost() {
        for (Supplier<CompletableFuture<String>> body : List.<Supplier<CompletableFuture<String>>>of(
                () -> CompletableFuture.completedFuture(losing.losesItsLock()),
                () -> CompletableFuture.supplyAsync(losing::losesItsLock))) {
            assertThatThrownBy(() -> work.pending(body).get(30, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(LockLostException.class);
        }
    }

    @Test
    void aLossIsTheCallersWhateverTheRetryLooksForInAResult() {
        theLockOfAPendingFutureIsLost();
        assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> work.pendingValue(losing::losesItsLock));
        assertThat(losing.count()).as("one of each").isEqualTo(3);
    }

    @Test
    void anAspectBetweenTheLockAndTheRetrySeesTheEndOfTheFuture() {
        work.run(CompletableFuture::new).cancel(true);
        List<CompletableFuture<?>> seen = context.bean(Between.class).seen;
        assertThat(seen).hasSize(1);
        Awaitility.await().until(() -> seen.get(0).isDone());
    }

    @Test
    void aResultThatTheRetryDoesNotWantIsTriedForAgain() throws Exception {
        CompletableFuture<String> answer = work.pending(() -> {
            attempts.add("attempt");
            return CompletableFuture.completedFuture(attempts.size() < 3 ? "pending" : "done");
        });
        assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo("done");
        assertThat(locks.requests).hasSize(1);
    }
}
