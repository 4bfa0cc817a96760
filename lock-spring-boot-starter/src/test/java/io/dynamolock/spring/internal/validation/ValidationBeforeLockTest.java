package io.dynamolock.spring.internal.validation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dynamolock.FakeLockRegistry;
import io.dynamolock.LockRegistry;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.EnableDynamoLocks;
import io.dynamolock.spring.aspect.AspectContext;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.constraints.Min;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.validation.autoconfigure.ValidationAutoConfiguration;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.validation.annotation.Validated;
import org.springframework.validation.beanvalidation.MethodValidationPostProcessor;

class ValidationBeforeLockTest {

    @AfterEach
    void logOut() {
        SecurityContextHolder.clearContext();
    }

    @Validated
    static class Orders {

        @DynamoLocked(key = "#id")
        public void go(String id, @Min(1) int amount) {}

        @PreAuthorize("hasAuthority('boss')")
        @DynamoLocked(key = "#id")
        public void secured(String id, @Min(1) int amount) {}

        public void unlocked(@Min(1) int amount) {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableMethodSecurity
    @Import({ValidationAutoConfiguration.class, Orders.class})
    static class Application {}

    @Configuration(proxyBeanMethods = false)
    @EnableDynamoLocks
    @Import(Orders.class)
    static class WithoutBoot {

        @Bean
        static MethodValidationPostProcessor validation() {
            return new MethodValidationPostProcessor();
        }
    }

    @Test
    void aCallWithInvalidArgumentsIsRefusedWithoutTheLock() {
        try (AspectContext context = AspectContext.booted(Application.class)) {
            Orders orders = context.bean(Orders.class);
            refuses(() -> orders.go("a", 0));
            refuses(() -> orders.unlocked(0));
            assertThat(context.locks.requests).isEmpty();

            orders.go("a", 1);
            assertThat(context.locks.requests).hasSize(1);
        }
    }

    private static void refuses(Runnable call) {
        assertThatExceptionOfType(ConstraintViolationException.class).isThrownBy(call::run);
    }

    @Test
    void aCallerWithoutAccessIsNotToldWhatIsInvalid() {
        try (AspectContext context = AspectContext.booted(Application.class)) {
            SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("me", "", "clerk"));
            assertThatExceptionOfType(AccessDeniedException.class)
                    .isThrownBy(() -> context.bean(Orders.class).secured("a", 0));
        }
    }

    @Test
    void validationComesFirstWithoutBootToo() {
        FakeLockRegistry locks = new FakeLockRegistry();
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.registerBean(LockRegistry.class, () -> locks);
            context.register(WithoutBoot.class);
            context.refresh();
            refuses(() -> context.getBean(Orders.class).go("a", 0));
            assertThat(locks.requests).isEmpty();
        }
    }
}
