package io.dynamolock.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockRegistry;
import io.dynamolock.sample.orders.CustomerTable;
import io.dynamolock.sample.orders.OrderService;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;

/** What starts with locks starts without them, too. */
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {"dynamolock.enabled=false", "dynamolock.embedded.port=0"})
class SwitchedOffSampleTest {

    @Autowired
    private LockRegistry locks;

    @Autowired
    private OrderService orders;

    @Autowired
    private CustomerTable customers;

    @Test
    void theSampleServesOrdersWithoutLocks() {
        orders.place("zoe", BigDecimal.TEN);
        assertThat(customers.read("zoe").total()).isEqualByComparingTo("10");
        assertThat(locks.admin().table()).isEmpty();
    }
}
