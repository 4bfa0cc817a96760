package io.dynamolock.sample.billing;

import java.math.BigDecimal;

/** @param number one more than that of the invoice before */
record Invoice(long number, String customerId, BigDecimal amount) {}
