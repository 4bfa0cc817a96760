package io.dynamolock.sample.orders;

import java.time.Instant;

/**
 * An order that was written.
 *
 * @param customer the customer as the order left it
 * @param begun when the order's turn came
 */
public record PlacedOrder(Customer customer, Instant begun) {}
