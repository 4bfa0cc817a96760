package io.dynamolock.spring.aspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dynamolock.FakeLockRegistry;
import io.dynamolock.LockLostException;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.OnLost;
import io.dynamolock.spring.autoconfigure.DynamoLockAspectAutoConfiguration;
import io.github.resilience4j.common.retry.configuration.CommonRetryConfigurationProperties;
import io.github.resilience4j.retry.annotation.Retry;
import io.github.resilience4j.spring6.retry.configure.RetryConfiguration;
import io.github.resilience4j.spring6.retry.configure.RetryConfigurationProperties;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.retry.annotation.Backoff;
import org.springframework.retry.annotation.EnableRetry;
import org.springframework.retry.annotation.Retryable;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.core.context.SecurityContextHolder;

/** Where the aspects of other libraries lie when nobody gives them an order. */
class OtherAspectsTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(AopAutoConfiguration.class, DynamoLockAspectAutoConfiguration.class))
            .withBean(FakeLockRegistry.class);

    @AfterEach
    void logOut() {
        SecurityContextHolder.clearContext();
    }

    static class SpringRetryWork {

        @Retryable(maxAttempts = 3, backoff = @Backoff(delay = 1))
        @DynamoLocked(key = "'k'", onLost = OnLost.IGNORE)
        public String run(Supplier<String> body) {
            return body.get();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableRetry(proxyTargetClass = true)
    static class SpringRetry {

        @Bean
        SpringRetryWork work() {
            return new SpringRetryWork();
        }
    }

    @Test
    void allAttemptsOfSpringRetryRunUnderOneLock() {
        retriesUnderOneLock(SpringRetry.class, SpringRetryWork.class, SpringRetryWork::run);
    }

    static class Resilience4jWork {

        @Retry(name = "work")
        @DynamoLocked(key = "'k'", onLost = OnLost.IGNORE)
        public CompletableFuture<String> future(Supplier<CompletableFuture<String>> body) {
            return body.get();
        }

        @Retry(name = "work")
        @DynamoLocked(key = "'k'", onLost = OnLost.IGNORE)
        public String run(Supplier<String> body) {
            return body.get();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(RetryConfiguration.class)
    static class Resilience4j {

        @Bean
        Resilience4jWork work() {
            return new Resilience4jWork();
        }

        @Bean
        RetryConfigurationProperties retries() {
            RetryConfigurationProperties properties = new RetryConfigurationProperties();
            properties
                    .getInstances()
                    .put(
                            "work",
                            new CommonRetryConfigurationProperties.InstanceProperties()
                                    .setMaxAttempts(3)
                                    .setWaitDuration(Duration.ofMillis(1)));
            return properties;
        }
    }

    @Test
    void allAttemptsOfResilience4jRunUnderOneLock() {
        retriesUnderOneLock(Resilience4j.class, Resilience4jWork.class, Resilience4jWork::run);
    }

    @Test
    void allAttemptsOfAFutureRunUnderOneLock() {
        runner.withUserConfiguration(Resilience4j.class).run(context -> {
            FakeLockRegistry locks = context.getBean(FakeLockRegistry.class);
            List<Boolean> released = new CopyOnWriteArrayList<>();
            CompletableFuture<String> answer = context.getBean(Resilience4jWork.class)
                    .future(() -> {
                        released.add(locks.lastHandle().isReleased());
                        return released.size() < 3
                                ? CompletableFuture.failedFuture(new IllegalStateException("not yet"))
                                : CompletableFuture.completedFuture("done");
                    });
            assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo("done");
            assertThat(released).containsExactly(false, false, false);
            assertThat(locks.requests).hasSize(1);
            assertThat(locks.lastHandle().isReleased()).isTrue();
        });
    }

    @Test
    void aLockExceptionOfAFutureIsNotTriedAgain() {
        runner.withUserConfiguration(Resilience4j.class).run(context -> {
            FakeLockRegistry locks = context.getBean(FakeLockRegistry.class);
            Resilience4jWork work = context.getBean(Resilience4jWork.class);
            List<String> attempts = new CopyOnWriteArrayList<>();
            Supplier<CompletableFuture<String>> thrown = () -> {
                attempts.add("attempt");
                locks.lastHandle().loseUntold();
                locks.lastHandle().ensureValid();
                throw new AssertionError();
            };
            Supplier<CompletableFuture<String>> told = () -> {
                try {
                    return thrown.get();
                } catch (LockLostException e) {
                    return CompletableFuture.supplyAsync(() -> {
                        throw e;
                    });
                }
            };
            for (Supplier<CompletableFuture<String>> body : List.of(thrown, told)) {
                attempts.clear();
                assertThatExceptionOfType(ExecutionException.class)
                        .isThrownBy(() -> work.future(body).get(30, TimeUnit.SECONDS))
                        .withCauseInstanceOf(LockLostException.class);
                assertThat(attempts).hasSize(1);
            }
        });
    }

    private <W> void retriesUnderOneLock(
            Class<?> configuration, Class<W> type, BiFunction<W, Supplier<String>, String> call) {
        runner.withUserConfiguration(configuration).run(context -> {
            FakeLockRegistry locks = context.getBean(FakeLockRegistry.class);
            W work = context.getBean(type);
            List<Boolean> released = new ArrayList<>();
            assertThat(call.apply(work, () -> {
                        released.add(locks.lastHandle().isReleased());
                        if (released.size() < 3) {
                            throw new IllegalStateException("not yet");
                        }
                        return "done";
                    }))
                    .isEqualTo("done");
            assertThat(released).containsExactly(false, false, false);
            assertThat(locks.requests).hasSize(1);

            List<String> done = new ArrayList<>();
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> call.apply(work, () -> {
                        done.add("work");
                        locks.lastHandle().lose();
                        locks.lastHandle().ensureValid();
                        return "result";
                    }));
            assertThat(done).hasSize(1);
        });
    }

    static class Secured {

        @PreAuthorize("hasAuthority('boss')")
        @DynamoLocked(key = "'k'")
        public String run() {
            return "done";
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableMethodSecurity
    static class Security {

        @Bean
        Secured secured() {
            return new Secured();
        }
    }

    @Test
    void aCallerThatSpringSecurityRefusesDoesNotWaitForTheLock() {
        runner.withUserConfiguration(Security.class).run(context -> {
            FakeLockRegistry locks = context.getBean(FakeLockRegistry.class);
            SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("me", "", "clerk"));
            assertThatExceptionOfType(AccessDeniedException.class)
                    .isThrownBy(() -> context.getBean(Secured.class).run());
            assertThat(locks.requests).isEmpty();
            SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("me", "", "boss"));
            assertThat(context.getBean(Secured.class).run()).isEqualTo("done");
            assertThat(locks.requests).hasSize(1);
        });
    }
}
