package io.dynamolock.sample;

import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The sample's own settings.
 *
 * @param customerTable the DynamoDB table of the customers; made at start-up where it is missing
 * @param thinkTime how long an order takes between reading the customer and writing it back
 * @param page settings of the page with the queue
 */
@Validated
@ConfigurationProperties("sample")
public record SampleProperties(
        @DefaultValue("sample-customers") @NotBlank String customerTable,
        @DefaultValue("5ms") @NotNull Duration thinkTime,
        @DefaultValue @NotNull @Valid Page page) {

    /**
     * Settings of the page with the queue.
     *
     * @param lockTable the DynamoDB table of the page's locks, which have a lease of their own; made at start-up where
     *     it is missing
     * @param lease how long an instance may be silent before the others take it for dead: short, so that a person who
     *     freezes an instance sees the consequence
     */
    public record Page(
            @DefaultValue("sample-page-locks") @NotBlank String lockTable,
            @DefaultValue("4s") @NotNull Duration lease) {}
}
