package io.dynamolock.sample.billing;

import io.dynamolock.LockMode;
import io.dynamolock.sample.orders.CustomerTable;
import io.dynamolock.spring.annotation.DynamoLocked;
import org.springframework.stereotype.Service;

/** A fallback for the case that the wait is over. */
@Service
class Statements {

    private final CustomerTable customers;

    Statements(CustomerTable customers) {
        this.customers = customers;
    }

    /**
     * Waits for orders that are under way, for a short time. Statements share the lock, so they do not wait for each
     * other.
     */
    @DynamoLocked(
            key = "'customer:' + #customerId",
            mode = LockMode.SHARED,
            waitTime = "500ms",
            fallbackMethod = "soFar")
    public Statement of(String customerId) {
        return new Statement(customers.read(customerId), true);
    }

    Statement soFar(String customerId) {
        return new Statement(customers.read(customerId), false);
    }
}
