package io.dynamolock.sample.orders;

import jakarta.validation.Valid;
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
class CustomerController {

    private final OrderService orders;
    private final LockingReadOrderService lockingReadOrders;
    private final CustomerTable customers;

    CustomerController(OrderService orders, LockingReadOrderService lockingReadOrders, CustomerTable customers) {
        this.orders = orders;
        this.lockingReadOrders = lockingReadOrders;
        this.customers = customers;
    }

    @GetMapping
    Customer customer(@PathVariable @CustomerId String customerId) {
        return customers.read(customerId);
    }

    @PostMapping("/orders")
    @ResponseStatus(HttpStatus.CREATED)
    Customer order(@PathVariable @CustomerId String customerId, @RequestBody @Valid OrderRequest order) {
        return orders.place(customerId, order.amount()).customer();
    }

    @PostMapping("/fenced-orders")
    @ResponseStatus(HttpStatus.CREATED)
    Customer fencedOrder(@PathVariable @CustomerId String customerId, @RequestBody @Valid OrderRequest order) {
        return orders.placeFenced(customerId, order.amount()).customer();
    }

    @PostMapping("/locking-read-orders")
    @ResponseStatus(HttpStatus.CREATED)
    Customer lockingReadOrder(@PathVariable @CustomerId String customerId, @RequestBody @Valid OrderRequest order) {
        return lockingReadOrders.place(customerId, order.amount()).customer();
    }
}
