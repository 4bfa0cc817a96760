package io.dynamolock.sample.rush;

import io.dynamolock.sample.orders.CustomerId;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import java.util.LinkedHashSet;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

@RestController
class RushController {

    private final Rush rush;
    private final OneRush oneRush;

    RushController(Rush rush, OneRush oneRush) {
        this.rush = rush;
        this.oneRush = oneRush;
    }

    /** @param locks in the order in which they are tried */
    record RushRequest(
            @NotNull @CustomerId String customer,
            @NotNull @Min(1) @Max(1_000) Integer orders,
            @NotEmpty LinkedHashSet<@NotNull RushLock> locks) {}

    /**
     * The request must be JSON: a page of another origin can send that only after a CORS preflight, which this
     * application does not allow.
     */
    @PostMapping(path = "/rush", consumes = MediaType.APPLICATION_JSON_VALUE)
    RushReport rush(@RequestBody @Valid RushRequest request) {
        if (!oneRush.begin()) {
            throw new ResponseStatusException(HttpStatus.CONFLICT, "A rush is under way. Wait for its end.");
        }
        try {
            return rush.run(request.customer(), request.orders(), request.locks());
        } finally {
            oneRush.end();
        }
    }
}
