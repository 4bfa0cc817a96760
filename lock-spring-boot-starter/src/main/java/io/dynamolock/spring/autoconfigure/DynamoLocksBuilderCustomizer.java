package io.dynamolock.spring.autoconfigure;

import io.dynamolock.DynamoLocksBuilder;

/**
 * Changes what the auto-configured registry is built with. All beans of this type are called, in their
 * {@linkplain org.springframework.core.annotation.Order order} and after the properties: for the registry, and once more
 * for its {@link io.dynamolock.LockTable}.
 */
@FunctionalInterface
public interface DynamoLocksBuilderCustomizer {

    void customize(DynamoLocksBuilder builder);
}
