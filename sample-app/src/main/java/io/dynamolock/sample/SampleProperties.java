package io.dynamolock.sample;

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
 */
@Validated
@ConfigurationProperties("sample")
public record SampleProperties(
        @DefaultValue("sample-customers") @NotBlank String customerTable,
        @DefaultValue("5ms") @NotNull Duration thinkTime) {}
