package io.dynamolock.spring.aspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dynamolock.LockLostException;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.github.resilience4j.common.retry.configuration.CommonRetryConfigurationProperties;
import io.github.resilience4j.retry.annotation.Retry;
import io.github.resilience4j.spring6.retry.configure.RetryConfiguration;
import io.github.resilience4j.spring6.retry.configure.RetryConfigurationProperties;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
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

    @AfterEach
    void logOut() {
        SecurityContextHolder.clearContext();
    }

    static class SpringRetryWork {

        @Retryable(maxAttempts = 3, backoff = @Backoff(delay = 1))
        @DynamoLocked(key = "'k'")
        public String run(Supplier<String> body) {
            return body.get();
        }
    }

    @EnableRetry(proxyTargetClass = true)
    @Import(SpringRetryWork.class)
    static class SpringRetry {}

    @Test
    void allAttemptsOfSpringRetryRunUnderOneLock() {
        retriesUnderOneLock(SpringRetry.class, SpringRetryWork.class, SpringRetryWork::run);
    }

    static class Resilience4jWork {

        @Retry(name = "work")
        @DynamoLocked(key = "'k'")
        public CompletableFuture<String> future(Supplier<CompletableFuture<String>> body) {
            return body.get();
        }

        @Retry(name = "work")
        @DynamoLocked(key = "'k'")
        public String run(Supplier<String> body) {
            return body.get();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import({RetryConfiguration.class, Resilience4jWork.class})
    static class Resilience4j {

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
    void allAttemptsOfAFutureRunUnderOneLock() throws Exception {
        try (AspectContext context = AspectContext.booted(Resilience4j.class)) {
            Resilience4jWork work = context.bean(Resilience4jWork.class);
            Attempts attempts = new Attempts(context.locks);
            assertThat(work.future(() -> CompletableFuture.supplyAsync(attempts::failsTwice, Runnable::run))
                            .get(30, TimeUnit.SECONDS))
                    .isEqualTo("done");
            attempts.wereThreeUnderOneLock();
        }
    }

    @Test
    void noAttemptOfAFutureBeginsWhenTheLockIsLost() {
        try (AspectContext context = AspectContext.booted(Resilience4j.class)) {
            Resilience4jWork work = context.bean(Resilience4jWork.class);
            Attempts thrown = new Attempts(context.locks);
            Attempts told = new Attempts(context.locks);
            for (Supplier<CompletableFuture<String>> body : List.<Supplier<CompletableFuture<String>>>of(
                    () -> CompletableFuture.completedFuture(thrown.losesItsLock()),
                    () -> CompletableFuture.supplyAsync(told::losesItsLock))) {
                assertThatExceptionOfType(ExecutionException.class)
                        .isThrownBy(() -> work.future(body).get(30, TimeUnit.SECONDS))
                        .withCauseInstanceOf(LockLostException.class);
            }
            assertThat(thrown.count()).isOne();
            assertThat(told.count()).isOne();
        }
    }

    private static <W> void retriesUnderOneLock(
            Class<?> configuration, Class<W> type, BiFunction<W, Supplier<String>, String> call) {
        try (AspectContext context = AspectContext.booted(configuration)) {
            W work = context.bean(type);
            Attempts attempts = new Attempts(context.locks);
            assertThat(call.apply(work, attempts::failsTwice)).isEqualTo("done");
            attempts.wereThreeUnderOneLock();

            Attempts one = new Attempts(context.locks);
            assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> call.apply(work, one::losesItsLock));
            assertThat(one.count()).isOne();
        }
    }

    static class Secured {

        @PreAuthorize("hasAuthority('boss')")
        @DynamoLocked(key = "'k'")
        public String run() {
            return "done";
        }
    }

    @EnableMethodSecurity
    @Import(Secured.class)
    static class Security {}

    @Test
    void aCallerThatSpringSecurityRefusesDoesNotWaitForTheLock() {
        try (AspectContext context = AspectContext.booted(Security.class)) {
            Secured secured = context.bean(Secured.class);
            SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("me", "", "clerk"));
            assertThatExceptionOfType(AccessDeniedException.class).isThrownBy(secured::run);
            assertThat(context.locks.requests).isEmpty();
            SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("me", "", "boss"));
            assertThat(secured.run()).isEqualTo("done");
            assertThat(context.locks.requests).hasSize(1);
        }
    }
}
