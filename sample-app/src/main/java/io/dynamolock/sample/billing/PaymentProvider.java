package io.dynamolock.sample.billing;

import io.dynamolock.sample.SampleProperties;
import java.math.BigDecimal;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.springframework.stereotype.Component;

/** Stands for a remote service that takes a while to answer. */
@Component
class PaymentProvider {

    private final SampleProperties properties;

    PaymentProvider(SampleProperties properties) {
        this.properties = properties;
    }

    CompletableFuture<Payment> charge(String customerId, BigDecimal amount) {
        return new CompletableFuture<Payment>()
                .completeOnTimeout(
                        new Payment(customerId, amount), properties.thinkTime().toMillis(), TimeUnit.MILLISECONDS);
    }
}
