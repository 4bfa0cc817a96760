package io.dynamolock.consumer.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockRegistry;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.test.context.SpringBootTest;

@SpringBootTest
class ShopTest {

    @Autowired
    private Orders orders;

    @Autowired
    private LockRegistry locks;

    @Test
    void aMethodRunsUnderItsLock() {
        assertThat(orders.place("42")).isTrue();
        assertThat(locks.held()).isEmpty();
    }

    @Test
    void theApplicationRunsOnTheSpringBootThatItAskedFor() {
        assertThat(SpringBootVersion.getVersion()).isEqualTo(System.getProperty("spring-boot.version"));
    }
}
