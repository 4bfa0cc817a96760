package io.dynamolock.sample.billing;

import io.dynamolock.spring.annotation.DynamoLocked;
import java.math.BigDecimal;
import java.util.concurrent.CompletableFuture;
import org.springframework.stereotype.Service;

/** A lock of a method that returns before its work is done. */
@Service
class Payments {

    private final PaymentProvider provider;

    Payments(PaymentProvider provider) {
        this.provider = provider;
    }

    /** The lock is held until the future completes, and no thread waits meanwhile, neither for the lock nor for the provider. */
    @DynamoLocked(key = "'payment:' + #customerId")
    public CompletableFuture<Payment> pay(String customerId, BigDecimal amount) {
        return provider.charge(customerId, amount);
    }
}
