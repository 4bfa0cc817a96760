package io.dynamolock.spring.autoconfigure.actuate;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The health of locks.
 *
 * @param interval How old an answer of the table may be before a health check asks again.
 * @param timeout How long a health check waits for the table; after that it tells the last answer.
 */
@ConfigurationProperties("management.health.dynamolock")
record DynamoLockHealthProperties(
        @DefaultValue("10s") Duration interval,
        @DefaultValue("1s") Duration timeout) {

    public DynamoLockHealthProperties {
        if (interval.isNegative() || timeout.isNegative()) {
            throw new IllegalArgumentException(
                    "management.health.dynamolock.interval and .timeout must not be negative," + " but are " + interval
                            + " and " + timeout);
        }
    }
}
