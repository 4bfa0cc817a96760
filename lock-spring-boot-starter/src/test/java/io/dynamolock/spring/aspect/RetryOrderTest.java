package io.dynamolock.spring.aspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.FakeLockRegistry;
import io.dynamolock.LockLostException;
import io.dynamolock.LockTimeoutException;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.OnLost;
import io.dynamolock.spring.autoconfigure.DynamoLockAspectAutoConfiguration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.retry.annotation.Backoff;
import org.springframework.retry.annotation.EnableRetry;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import reactor.core.publisher.Mono;

/** The retries of Spring itself run under the lock: one place in the queue, one wait, one lock for all attempts. */
class RetryOrderTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(AopAutoConfiguration.class, DynamoLockAspectAutoConfiguration.class))
            .withUserConfiguration(Application.class);

    @Configuration(proxyBeanMethods = false)
    @EnableResilientMethods(proxyTargetClass = true)
    static class Application {

        @Bean
        FakeLockRegistry dynamoLockRegistry() {
            return new FakeLockRegistry();
        }

        @Bean
        Work work() {
            return new Work();
        }
    }

    static class Work {

        @Retryable(maxRetries = 3, delay = 1)
        @DynamoLocked(key = "'k'")
        public String locked(Supplier<String> body) {
            return body.get();
        }

        @Retryable(maxRetries = 3, delay = 1)
        @DynamoLocked(key = "'k'", onLost = OnLost.IGNORE)
        public String careless(Supplier<String> body) {
            return body.get();
        }

        @Retryable(maxRetries = 3, delay = 1)
        @DynamoLocked(key = "'k'")
        public Mono<String> stream(Supplier<String> body) {
            return Mono.fromSupplier(body);
        }

        @Retryable(maxRetries = 3, delay = 1)
        @DynamoLocked(key = "'k'", onLost = OnLost.IGNORE)
        public CompletableFuture<String> future(Supplier<String> body) {
            return CompletableFuture.completedFuture(body.get());
        }

        @Retryable(maxRetries = 3, delay = 1)
        @DynamoLocked(key = "'k'", onLost = OnLost.IGNORE)
        public Future<String> anyFuture(Supplier<String> body) {
            return CompletableFuture.completedFuture(body.get());
        }

        @Retryable(maxRetries = 3, delay = 1)
        public String free(Supplier<String> body) {
            return body.get();
        }
    }

    private void inApplication(Consumer<Work> test, Consumer<FakeLockRegistry> check) {
        runner.run(context -> {
            test.accept(context.getBean(Work.class));
            check.accept(context.getBean(FakeLockRegistry.class));
        });
    }

    @Test
    void allAttemptsRunUnderOneLock() {
        runner.run(context -> {
            FakeLockRegistry locks = context.getBean(FakeLockRegistry.class);
            Work work = context.getBean(Work.class);
            List<Boolean> released = new ArrayList<>();
            assertThat(work.locked(() -> {
                        released.add(locks.lastHandle().isReleased());
                        if (released.size() < 3) {
                            throw new IllegalStateException("not yet");
                        }
                        return "done";
                    }))
                    .isEqualTo("done");
            assertThat(released).containsExactly(false, false, false);
            assertThat(locks.requests).hasSize(1);
            assertThat(locks.lastHandle().isReleased()).isTrue();
        });
    }

    /** Spring's retry takes a future for a result, even a failed one, and tries again after what is thrown. */
    private void retriesAFuture(
            Class<?> configuration, Function<ApplicationContext, Function<Supplier<String>, Future<String>>> method) {
        runner.withUserConfiguration(configuration).run(context -> {
            FakeLockRegistry locks = context.getBean(FakeLockRegistry.class);
            Function<Supplier<String>, Future<String>> call = method.apply(context);
            List<Boolean> released = new CopyOnWriteArrayList<>();
            Future<String> answer = call.apply(() -> {
                released.add(locks.lastHandle().isReleased());
                if (released.size() < 3) {
                    throw new IllegalStateException("not yet");
                }
                return "done";
            });
            assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo("done");
            assertThat(released).containsExactly(false, false, false);
            assertThat(locks.requests).hasSize(1);
            assertThat(locks.lastHandle().isReleased()).isTrue();

            List<String> attempts = new CopyOnWriteArrayList<>();
            Future<String> broken = call.apply(() -> {
                attempts.add("attempt");
                throw new IllegalStateException("broken");
            });
            assertThatThrownBy(() -> broken.get(30, TimeUnit.SECONDS)).hasRootCauseMessage("broken");
            assertThat(attempts).hasSize(4);

            attempts.clear();
            Future<String> losing = call.apply(() -> {
                attempts.add("attempt");
                locks.lastHandle().loseUntold();
                locks.lastHandle().ensureValid();
                return "never";
            });
            assertThatThrownBy(() -> losing.get(30, TimeUnit.SECONDS)).hasRootCauseInstanceOf(LockLostException.class);
            assertThat(attempts).hasSize(1);
        });
    }

    @Test
    void aMethodThatThrowsInsteadOfGivingItsFutureIsTriedAgainUnderItsLock() {
        retriesAFuture(Background.class, context -> context.getBean(Work.class)::future);
        retriesAFuture(Background.class, context -> context.getBean(Work.class)::anyFuture);
        retriesAFuture(Background.class, context -> context.getBean(BackgroundWork.class)::future);
        retriesAFuture(SpringRetry.class, context -> context.getBean(SpringRetryWork.class)::future);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableRetry(proxyTargetClass = true)
    @Import(SpringRetryWork.class)
    static class SpringRetry {}

    static class SpringRetryWork {

        @org.springframework.retry.annotation.Retryable(maxAttempts = 4, backoff = @Backoff(delay = 1))
        @DynamoLocked(key = "'k'", onLost = OnLost.IGNORE)
        public CompletableFuture<String> future(Supplier<String> body) {
            return CompletableFuture.completedFuture(body.get());
        }
    }

    @Test
    void allAttemptsOfAStreamRunUnderOneLock() {
        runner.run(context -> {
            FakeLockRegistry locks = context.getBean(FakeLockRegistry.class);
            List<Boolean> released = new ArrayList<>();
            assertThat(context.getBean(Work.class).stream(() -> {
                                released.add(locks.lastHandle().isReleased());
                                if (released.size() < 3) {
                                    throw new IllegalStateException("not yet");
                                }
                                return "done";
                            })
                            .block())
                    .isEqualTo("done");
            assertThat(released).containsExactly(false, false, false);
            assertThat(locks.requests).hasSize(1);
        });
    }

    @Test
    void aLockExceptionInAStreamIsNotTriedAgain() {
        runner.run(context -> {
            FakeLockRegistry locks = context.getBean(FakeLockRegistry.class);
            List<String> attempts = new ArrayList<>();
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> context.getBean(Work.class).stream(() -> {
                                attempts.add("attempt");
                                locks.lastHandle().loseUntold();
                                locks.lastHandle().ensureValid();
                                return "never";
                            })
                            .block());
            assertThat(attempts).hasSize(1);
        });
    }

    @Test
    void aWaitIsNotMultiplied() {
        runner.run(context -> {
            FakeLockRegistry locks = context.getBean(FakeLockRegistry.class);
            locks.timesOut = true;
            assertThatExceptionOfType(LockTimeoutException.class)
                    .isThrownBy(() -> context.getBean(Work.class).locked(() -> "never"));
            assertThat(locks.requests).hasSize(1);
        });
    }

    @Test
    void finishedWorkIsNotDoneAgainBecauseTheLockWasLost() {
        runner.run(context -> {
            FakeLockRegistry locks = context.getBean(FakeLockRegistry.class);
            List<String> done = new ArrayList<>();
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> context.getBean(Work.class).locked(() -> {
                        done.add("work");
                        locks.lastHandle().lose();
                        return "result";
                    }));
            assertThat(done).hasSize(1);
        });
    }

    @Test
    void aLockExceptionOfAnAttemptIsNotRetried() {
        runner.run(context -> {
            FakeLockRegistry locks = context.getBean(FakeLockRegistry.class);
            List<String> done = new ArrayList<>();
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> context.getBean(Work.class).careless(() -> {
                        done.add("work");
                        locks.lastHandle().lose();
                        locks.lastHandle().ensureValid();
                        return "result";
                    }));
            assertThat(done).hasSize(1);
        });
    }

    @Test
    void theLastFailureIsTheCallers() {
        inApplication(
                work -> assertThatIllegalStateException()
                        .isThrownBy(() -> work.locked(() -> {
                            throw new IllegalStateException("broken");
                        }))
                        .withMessage("broken"),
                locks -> assertThat(locks.requests).hasSize(1));
    }

    @Test
    void methodsWithoutALockAreRetriedAsEver() {
        List<String> done = new ArrayList<>();
        inApplication(
                work -> assertThatIllegalStateException()
                        .isThrownBy(() -> work.free(() -> {
                            done.add("work");
                            throw new IllegalStateException("broken");
                        })),
                locks -> assertThat(locks.requests).isEmpty());
        assertThat(done).hasSize(4);
    }

    /** Further out than the lock, and inside of what Spring puts outermost. */
    static DefaultPointcutAdvisor counting(AtomicInteger calls) {
        NameMatchMethodPointcut all = new NameMatchMethodPointcut();
        all.setClassFilter(type -> type == Work.class);
        all.addMethodName("*");
        DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(all, (MethodInterceptor) call -> {
            calls.incrementAndGet();
            return call.proceed();
        });
        advisor.setOrder(0);
        return advisor;
    }

    @Test
    void otherMethodsOfTheSameBeanKeepTheirRetryWhereItWas() {
        AtomicInteger calls = new AtomicInteger();
        runner.withBean(DefaultPointcutAdvisor.class, () -> counting(calls)).run(context -> {
            Work work = context.getBean(Work.class);
            assertThatIllegalStateException()
                    .isThrownBy(() -> work.free(() -> {
                        throw new IllegalStateException("broken");
                    }));
            assertThat(calls).as("once for each attempt").hasValue(4);
            calls.set(0);
            assertThatIllegalStateException()
                    .isThrownBy(() -> work.locked(() -> {
                        throw new IllegalStateException("broken");
                    }));
            assertThat(calls).as("once for all attempts").hasValue(1);
        });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync(proxyTargetClass = true)
    static class Background {

        @Bean
        BackgroundWork backgroundWork() {
            return new BackgroundWork();
        }
    }

    static class BackgroundWork {

        private final AtomicInteger attempts = new AtomicInteger();

        @Async
        @Retryable(maxRetries = 3, delay = 1)
        @DynamoLocked(key = "'k'")
        public void run(CompletableFuture<String> thread) {
            if (attempts.incrementAndGet() < 3) {
                throw new IllegalStateException("not yet");
            }
            thread.complete(Thread.currentThread().getName());
        }

        @Async
        @Retryable(maxRetries = 3, delay = 1)
        @DynamoLocked(key = "'k'", onLost = OnLost.IGNORE)
        public CompletableFuture<String> future(Supplier<String> body) {
            return CompletableFuture.completedFuture(body.get());
        }
    }

    @Test
    void anAsynchronousMethodStaysOutsideOfItsLock() {
        runner.withUserConfiguration(Background.class).run(context -> {
            CompletableFuture<String> thread = new CompletableFuture<>();
            context.getBean(BackgroundWork.class).run(thread);
            assertThat(thread.get(30, TimeUnit.SECONDS))
                    .isNotEqualTo(Thread.currentThread().getName());
            assertThat(context.getBean(FakeLockRegistry.class).requests).hasSize(1);
        });
    }
}
