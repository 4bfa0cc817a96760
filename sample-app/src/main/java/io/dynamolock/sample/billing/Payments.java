package io.dynamolock.sample.billing;

import io.dynamolock.spring.annotation.DynamoLocked;
import java.math.BigDecimal;
import java.util.concurrent.CompletableFuture;
import org.springframework.stereotype.Service;

/** A lock around asynchronous work: the method returns before the payment is made. */
@Service
class Payments {

    private final PaymentProvider provider;

    Payments(PaymentProvider provider) {
        this.provider = provider;
    }

    /**
     * The lock is held until the future completes. No thread is blocked, neither by the wait for the lock nor by the
     * provider.
     */
    @DynamoLocked(key = "'payment:' + #customerId")
    public CompletableFuture<Payment> pay(String customerId, BigDecimal amount) {
        return provider.charge(customerId, amount);
    }
}
