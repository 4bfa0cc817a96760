package io.dynamolock.spring.aspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.FakeLockRegistry;
import io.dynamolock.LockLostException;
import io.dynamolock.spring.annotation.CurrentLock;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.EnableDynamoLocks;
import io.dynamolock.spring.annotation.OnLost;
import io.dynamolock.spring.autoconfigure.DynamoLockAspectAutoConfiguration;
import io.github.resilience4j.common.retry.configuration.CommonRetryConfigurationProperties;
import io.github.resilience4j.retry.annotation.Retry;
import io.github.resilience4j.spring6.retry.configure.RetryConfiguration;
import io.github.resilience4j.spring6.retry.configure.RetryConfigurationProperties;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * The attempts of Resilience4j at a method that returns a future: the later ones run on a thread of its own, and it would go on with
 * them whatever becomes of the call.
 */
class RetriedFutureTest {

    private final List<String> attempts = new CopyOnWriteArrayList<>();
    private final List<CompletableFuture<?>> seenBetween = new CopyOnWriteArrayList<>();

    static class Work {

        private final List<String> fallbacks = new CopyOnWriteArrayList<>();

        public List<String> fallbacks() {
            return fallbacks;
        }

        @Retry(name = "work")
        @DynamoLocked(key = "'k'")
        public CompletableFuture<String> run(Supplier<CompletableFuture<String>> body) {
            return body.get();
        }

        @Retry(name = "work", fallbackMethod = "instead")
        @DynamoLocked(key = "'k'")
        public CompletableFuture<String> withFallback(Supplier<CompletableFuture<String>> body) {
            return body.get();
        }

        CompletableFuture<String> instead(Supplier<CompletableFuture<String>> body, Throwable failure) {
            fallbacks.add(failure.toString());
            return CompletableFuture.completedFuture("instead");
        }

        @Retry(name = "pending")
        @DynamoLocked(key = "'k'", onLost = OnLost.IGNORE)
        public CompletableFuture<String> pending(Supplier<CompletableFuture<String>> body) {
            return body.get();
        }

        @Retry(name = "missing")
        @DynamoLocked(key = "'k'", onLost = OnLost.IGNORE)
        public String missingValue(Supplier<String> body) {
            return body.get();
        }

        @Retry(name = "pending")
        @DynamoLocked(key = "'k'", onLost = OnLost.IGNORE)
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

    public static class IsMissing implements Predicate<Object> {

        private static final AtomicInteger ASKED = new AtomicInteger();

        @Override
        public boolean test(Object result) {
            ASKED.incrementAndGet();
            return result == null;
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
                    .put(
                            "work",
                            new CommonRetryConfigurationProperties.InstanceProperties()
                                    .setMaxAttempts(3)
                                    .setWaitDuration(Duration.ofMillis(100)));
            properties
                    .getInstances()
                    .put(
                            "pending",
                            new CommonRetryConfigurationProperties.InstanceProperties()
                                    .setMaxAttempts(3)
                                    .setWaitDuration(Duration.ofMillis(1))
                                    .setResultPredicate(IsPending.class));
            properties
                    .getInstances()
                    .put(
                            "missing",
                            new CommonRetryConfigurationProperties.InstanceProperties()
                                    .setMaxAttempts(30)
                                    .setWaitDuration(Duration.ofMillis(1))
                                    .setResultPredicate(IsMissing.class));
            return properties;
        }
    }

    /** Attempts that are still to begin do so before the application has ended. */
    private void inApplication(ThrowingConsumer test) {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(AopAutoConfiguration.class, DynamoLockAspectAutoConfiguration.class))
                .withBean(FakeLockRegistry.class)
                .withBean(DefaultPointcutAdvisor.class, this::between)
                .withUserConfiguration(Application.class)
                .run(context -> {
                    context.getBean(DynamoLockedAdvisor.class).runGrantedAtOnceBy(Runnable::run);
                    test.accept(
                            context.getBean(Work.class),
                            context.getBean(FakeLockRegistry.class),
                            context.getBean(Inner.class));
                });
    }

    private DefaultPointcutAdvisor between() {
        NameMatchMethodPointcut futures = new NameMatchMethodPointcut();
        futures.setClassFilter(type -> type == Work.class);
        futures.setMappedNames("run", "pending");
        DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(futures, (MethodInterceptor) call -> {
            CompletableFuture<?> seen = (CompletableFuture<?>) Objects.requireNonNull(call.proceed());
            seenBetween.add(seen);
            return seen.copy();
        });
        advisor.setOrder(EnableDynamoLocks.DEFAULT_ORDER + 1);
        return advisor;
    }

    private interface ThrowingConsumer {

        void accept(Work work, FakeLockRegistry locks, Inner inner) throws Exception;
    }

    private Supplier<CompletableFuture<String>> giving(CompletableFuture<String> body) {
        return () -> {
            attempts.add("attempt");
            return body;
        };
    }

    private void noAttemptFollows(BiConsumer<CompletableFuture<String>, FakeLockRegistry> end) {
        CompletableFuture<String> running = new CompletableFuture<>();
        inApplication((work, locks, inner) -> {
            end.accept(work.run(giving(running)), locks);
            assertThat(locks.lastHandle().isReleased()).isTrue();
            assertThat(running).as("the running attempt").isCancelled();
        });
        inApplication((work, locks, inner) -> {
            CompletableFuture<String> failed = CompletableFuture.failedFuture(new IllegalStateException("not yet"));
            end.accept(work.run(giving(failed)), locks);
            assertThat(locks.lastHandle().isReleased()).isTrue();
        });
        inApplication((work, locks, inner) -> {
            end.accept(work.withFallback(giving(new CompletableFuture<>())), locks);
            assertThat(work.fallbacks()).isEmpty();
        });
        assertThat(attempts).as("the first of each").hasSize(3);
    }

    @Test
    void afterACancelNoAttemptBeginsAndTheRunningOneIsCancelled() {
        noAttemptFollows((answer, locks) -> answer.cancel(true));
    }

    @Test
    void afterALossNoAttemptBeginsAndTheRunningOneIsCancelled() {
        noAttemptFollows((answer, locks) -> {
            locks.lastHandle().lose();
            assertThatThrownBy(answer::join).hasCauseInstanceOf(LockLostException.class);
        });
    }

    @Test
    void allAttemptsAreInsideTheLockOnWhateverThread() {
        inApplication((work, locks, inner) -> {
            CompletableFuture<String> answer = work.run(() -> {
                attempts.add(Thread.currentThread().getName());
                assertThat(CurrentLock.get().handle()).isSameAs(locks.lastHandle());
                inner.enter();
                return attempts.size() < 3
                        ? CompletableFuture.failedFuture(new IllegalStateException("not yet"))
                        : CompletableFuture.completedFuture("done");
            });
            assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo("done");
            assertThat(attempts.get(1)).isNotEqualTo(attempts.get(0));
            assertThat(locks.requests).as("nobody waits for its own caller").hasSize(1);
            assertThat(locks.lastHandle().isReleased()).isTrue();
        });
    }

    @Test
    void aCallThatIsCancelledWhileAnAttemptBeginsKeepsItsLockUntilThatHasReturned() {
        CompletableFuture<String> running = new CompletableFuture<>();
        AtomicReference<CompletableFuture<String>> answer = new AtomicReference<>();
        CompletableFuture<Boolean> released = new CompletableFuture<>();
        inApplication((work, locks, inner) -> {
            answer.set(work.run(() -> {
                attempts.add("attempt");
                if (attempts.size() == 1) {
                    return CompletableFuture.failedFuture(new IllegalStateException("not yet"));
                }
                answer.get().cancel(true);
                released.complete(locks.lastHandle().isReleased());
                return running;
            }));
            assertThat(released.get(30, TimeUnit.SECONDS)).isFalse();
            Awaitility.await()
                    .until(() -> running.isCancelled() && locks.lastHandle().isReleased());
        });
        assertThat(attempts).hasSize(2);
    }

    /** Resilience4j leaves the future open for ever, and so the lock would be held. */
    @Test
    void whatALaterAttemptThrowsIsAFailureAsAnyOther() {
        inApplication((work, locks, inner) -> {
            CompletableFuture<String> answer = work.run(() -> {
                attempts.add("attempt");
                if (attempts.size() == 1) {
                    return CompletableFuture.failedFuture(new IllegalStateException("not yet"));
                }
                throw new IllegalStateException("broken");
            });
            assertThatThrownBy(() -> answer.get(30, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("broken");
            assertThat(attempts).hasSize(3);
            assertThat(locks.lastHandle().isReleased()).isTrue();
        });
    }

    @Test
    void aLockExceptionIsTheCallersWhateverTheRetryLooksForInAResult() {
        inApplication((work, locks, inner) -> {
            Supplier<String> losing = losing(locks);
            assertThatThrownBy(() -> work.pending(() -> CompletableFuture.completedFuture(losing.get()))
                            .get(30, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(LockLostException.class);
            assertThatThrownBy(() -> work.pending(() -> CompletableFuture.supplyAsync(losing))
                            .get(30, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(LockLostException.class);
            assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> work.pendingValue(losing));
            assertThat(attempts).as("one of each").hasSize(3);
        });
    }

    private Supplier<String> losing(FakeLockRegistry locks) {
        return () -> {
            attempts.add("attempt");
            locks.lastHandle().loseUntold();
            locks.lastHandle().ensureValid();
            throw new AssertionError();
        };
    }

    @Test
    void aRetryThatLooksForAResultEndsWithALockException() {
        inApplication((work, locks, inner) -> {
            assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> work.missingValue(losing(locks)));
            assertThat(attempts).hasSize(1);
            assertThat(IsMissing.ASKED).hasValue(1);
        });
    }

    @Test
    void anAspectBetweenTheLockAndTheRetrySeesTheEndOfTheFuture() {
        inApplication((work, locks, inner) -> {
            for (Supplier<CompletableFuture<String>> body : List.<Supplier<CompletableFuture<String>>>of(
                    () -> CompletableFuture.completedFuture(losing(locks).get()),
                    () -> CompletableFuture.supplyAsync(losing(locks)))) {
                assertThatThrownBy(() -> work.pending(body).get(30, TimeUnit.SECONDS))
                        .hasCauseInstanceOf(LockLostException.class);
            }
            CompletableFuture<String> running = work.run(CompletableFuture::new);
            running.cancel(true);
            assertThat(seenBetween).hasSize(3).allMatch(CompletableFuture::isDone);
        });
    }

    @Test
    void aResultThatTheRetryDoesNotWantIsTriedForAgain() {
        inApplication((work, locks, inner) -> {
            CompletableFuture<String> answer = work.pending(() -> {
                attempts.add("attempt");
                return CompletableFuture.completedFuture(attempts.size() < 3 ? "pending" : "done");
            });
            assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo("done");
            assertThat(locks.requests).hasSize(1);
        });
    }
}
