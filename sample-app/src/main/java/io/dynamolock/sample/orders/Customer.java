package io.dynamolock.sample.orders;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * What the service knows of a customer.
 *
 * @param fencingToken the highest fencing token that a write has carried, 0 if none has
 */
public record Customer(String customerId, long orders, BigDecimal total, long fencingToken) {

    private static final int CENTS = 2;

    public Customer {
        total = total.setScale(CENTS, RoundingMode.UNNECESSARY);
    }

    static Customer withoutOrders(String customerId) {
        return new Customer(customerId, 0, BigDecimal.ZERO, 0);
    }

    Customer withOrder(BigDecimal amount) {
        return new Customer(customerId, orders + 1, total.add(amount), fencingToken);
    }

    Customer fencedBy(long token) {
        return new Customer(customerId, orders, total, token);
    }
}
