package io.dynamolock.sample.rush;

import io.dynamolock.sample.orders.CustomerId;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import java.util.Set;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
class RushController {

    private final Rush rush;

    RushController(Rush rush) {
        this.rush = rush;
    }

    @PostMapping("/rush")
    RushReport rush(
            @RequestParam @CustomerId String customer,
            @RequestParam(defaultValue = "100") @Min(1) @Max(1_000) int orders,
            @RequestParam(defaultValue = "QUEUE") Set<@NotNull RushLock> locks) {
        return rush.run(customer, orders, locks);
    }
}
