package io.dynamolock.consumer.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dynamolock.LeaderListener;
import io.dynamolock.LeaderElection.Leadership;
import io.dynamolock.LockRegistry;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.spring.annotation.DynamoLeader;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.EnableDynamoLocks;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class SpringWithoutBootTest {

    @Configuration
    @EnableDynamoLocks(waitTime = "30s")
    static class Locks {

        @Bean
        LockRegistry locks() {
            return RegistryBuilder.of(new InMemoryLockStore()).build();
        }
    }

    static class Orders {

        private final LockRegistry locks;

        Orders(LockRegistry locks) {
            this.locks = locks;
        }

        /** Whether the lock is held while the method runs. */
        @DynamoLocked(key = "'customer:' + #customer")
        public boolean place(String customer) {
            return locks.admin().held().stream().anyMatch(held -> held.key().equals("customer:" + customer));
        }
    }

    @DynamoLeader("mails")
    static class Mails implements LeaderListener {

        final CompletableFuture<Long> led = new CompletableFuture<>();

        @Override
        public void granted(Leadership leadership) {
            led.complete(leadership.fencingToken());
        }
    }

    @Test
    void aMethodRunsUnderItsLock() {
        try (var context = new AnnotationConfigApplicationContext(Locks.class, Orders.class)) {
            assertTrue(context.getBean(Orders.class).place("42"));
            assertEquals(0, context.getBean(LockRegistry.class).admin().held().size());
        }
    }

    @Test
    void aBeanIsElectedLeader() throws Exception {
        try (var context = new AnnotationConfigApplicationContext(Locks.class, Mails.class)) {
            assertTrue(context.getBean(Mails.class).led.get(1, TimeUnit.MINUTES) > 0);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.springframework.boot.SpringApplication",
                "org.aspectj.lang.JoinPoint",
                "org.springframework.transaction.PlatformTransactionManager",
                "reactor.core.publisher.Mono"
            })
    void nothingOptionalIsThere(String name) {
        assertThrows(ClassNotFoundException.class, () -> Class.forName(name));
    }
}
