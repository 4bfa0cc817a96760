package io.dynamolock.sample.billing;

import io.dynamolock.sample.orders.Customer;

/** @param last whether no order was under way */
record Statement(Customer customer, boolean last) {}
