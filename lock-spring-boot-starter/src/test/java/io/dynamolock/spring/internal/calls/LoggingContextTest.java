package io.dynamolock.spring.internal.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.aspect.LockedProxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/** A future's method logs with its caller's MDC, although no accessor for the MDC is registered. */
class LoggingContextTest {

    @AutoClose
    private final LockRegistry locks =
            RegistryBuilder.of(new InMemoryLockStore()).build();

    private final Work work = LockedProxy.of(new Work(), locks);

    @AfterEach
    void clear() {
        MDC.clear();
    }

    static class Work {

        @DynamoLocked(key = "'k'")
        public CompletableFuture<@Nullable String> request() {
            return CompletableFuture.completedFuture(MDC.get("request"));
        }
    }

    @Test
    void aFuturesMethodSeesTheMdcOfItsCallerAndOfNoOther() throws Exception {
        LockHandle held = locks.acquire("k", Duration.ofSeconds(30));
        MDC.put("request", "42");
        CompletableFuture<@Nullable String> first = work.request();
        MDC.put("request", "43");
        CompletableFuture<@Nullable String> second = work.request();
        MDC.clear();
        CompletableFuture<@Nullable String> third = work.request();
        held.release();

        assertThat(first.get(30, TimeUnit.SECONDS)).isEqualTo("42");
        assertThat(second.get(30, TimeUnit.SECONDS)).isEqualTo("43");
        assertThat(third.get(30, TimeUnit.SECONDS)).isNull();
    }
}
