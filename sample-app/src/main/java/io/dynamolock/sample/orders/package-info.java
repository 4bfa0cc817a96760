/** Customers, their orders, and two ways to lock a customer while an order is written. */
@NullMarked
package io.dynamolock.sample.orders;

import org.jspecify.annotations.NullMarked;
