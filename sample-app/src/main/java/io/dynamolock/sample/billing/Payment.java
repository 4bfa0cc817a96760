package io.dynamolock.sample.billing;

import java.math.BigDecimal;

/** An amount that the provider has taken from the customer. */
record Payment(String customerId, BigDecimal amount) {}
