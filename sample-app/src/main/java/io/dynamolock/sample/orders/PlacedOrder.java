package io.dynamolock.sample.orders;

import java.time.Instant;

/**
 * An order that was written.
 *
 * @param customer the customer after the order
 * @param begun when the order's turn came
 */
public record PlacedOrder(Customer customer, Instant begun) {}
