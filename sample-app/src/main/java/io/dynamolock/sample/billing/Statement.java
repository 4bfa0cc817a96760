package io.dynamolock.sample.billing;

import io.dynamolock.sample.orders.Customer;

/** @param last false if an order was still under way, so that the total may change */
record Statement(Customer customer, boolean last) {}
