package io.dynamolock.weaving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.dynamolock.DynamoLocks;
import io.dynamolock.LockRegistry;
import io.dynamolock.spring.EnableDynamoLocks;
import io.dynamolock.store.memory.InMemoryLockStore;
import org.junit.jupiter.api.Test;
import org.springframework.aop.support.AopUtils;
import org.springframework.context.annotation.AdviceMode;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Woven classes as beans of an application. */
class WeavingInAnApplicationTest {

    @Configuration(proxyBeanMethods = false)
    @EnableDynamoLocks(mode = AdviceMode.ASPECTJ)
    static class Application {

        @Bean
        LockRegistry locks() {
            return DynamoLocks.builder(new InMemoryLockStore()).build();
        }

        @Bean
        CompiledAndWoven work() {
            return new CompiledAndWoven();
        }
    }

    @Test
    void beansGetNoProxyAndTakeTheirLocksFromTheContextUntilItIsClosed() {
        CompiledAndWoven work;
        try (var context = new AnnotationConfigApplicationContext(Application.class)) {
            work = context.getBean(CompiledAndWoven.class);
            assertThat(AopUtils.isAopProxy(work)).isFalse();
            assertThat(work.ofPrivateMethod("a")).isEqualTo("a");
        }
        assertThatIllegalStateException()
                .isThrownBy(() -> work.ofPrivateMethod("a"))
                .withMessageContaining("no registry is set");
    }
}
