package io.dynamolock.sample.orders;

import jakarta.validation.constraints.Digits;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Positive;
import java.math.BigDecimal;

/** The body of a request to order or to pay. */
public record OrderRequest(
        @NotNull
        @Positive
        @Digits(integer = 9, fraction = 2, message = "must have at most {integer} digits and {fraction} decimals")
        BigDecimal amount) {}
