/**
 * A small service that a newcomer can run and break. It uses only what every application could use. Read
 * {@code orders.OrderService} first: an order is placed under the lock of its customer.
 */
@NullMarked
package io.dynamolock.sample;

import org.jspecify.annotations.NullMarked;
