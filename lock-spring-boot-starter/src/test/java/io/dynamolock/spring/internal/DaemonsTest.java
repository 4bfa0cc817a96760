package io.dynamolock.spring.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

class DaemonsTest {

    @Test
    void theThreadsOfAnExecutorHaveDifferentNames() {
        Executor executor = Daemons.each("test-");
        assertThat(nameOfThread(executor)).isEqualTo("test-1");
        assertThat(nameOfThread(executor)).isEqualTo("test-2");
    }

    private static String nameOfThread(Executor executor) {
        return CompletableFuture.supplyAsync(() -> Thread.currentThread().getName(), executor)
                .join();
    }
}
