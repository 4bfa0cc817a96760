/**
 * Customers, their orders, and two ways to lock a customer while an order is written. Read
 * {@link io.dynamolock.sample.orders.OrderService} first; other packages place orders by it and read customers by
 * {@link io.dynamolock.sample.orders.CustomerTable}.
 */
@NullMarked
package io.dynamolock.sample.orders;

import org.jspecify.annotations.NullMarked;
