package io.dynamolock.sample.billing;

import io.dynamolock.sample.orders.CustomerId;
import io.dynamolock.sample.orders.OrderRequest;
import jakarta.validation.Valid;
import java.util.concurrent.CompletableFuture;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/customers/{customerId}")
class BillingController {

    private final Invoices invoices;
    private final Payments payments;
    private final Statements statements;

    BillingController(Invoices invoices, Payments payments, Statements statements) {
        this.invoices = invoices;
        this.payments = payments;
        this.statements = statements;
    }

    @PostMapping("/invoices")
    @ResponseStatus(HttpStatus.CREATED)
    Invoice invoice(@PathVariable @CustomerId String customerId, @RequestBody @Valid OrderRequest order) {
        return invoices.issue(customerId, order.amount());
    }

    @PostMapping("/payments")
    @ResponseStatus(HttpStatus.CREATED)
    CompletableFuture<Payment> payment(
            @PathVariable @CustomerId String customerId, @RequestBody @Valid OrderRequest order) {
        return payments.pay(customerId, order.amount());
    }

    @GetMapping("/statement")
    Statement statement(@PathVariable @CustomerId String customerId) {
        return statements.of(customerId);
    }
}
