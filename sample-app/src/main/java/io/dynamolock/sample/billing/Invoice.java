package io.dynamolock.sample.billing;

import java.math.BigDecimal;

/** @param number the number of the invoice before, plus one */
record Invoice(long number, String customerId, BigDecimal amount) {}
