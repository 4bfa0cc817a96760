package io.dynamolock.spring.autoconfigure;

import io.dynamolock.LockRegistryBuilder;

/**
 * Changes what the auto-configured registry is built with. All beans of this type are called, in their {@linkplain
 * org.springframework.core.annotation.Order order} and after the properties: for the registry, and once more for its
 * {@link io.dynamolock.LockTable}.
 */
@FunctionalInterface
public interface LockRegistryBuilderCustomizer {

    /**
     * Called while the context starts. What it throws stops the start.
     *
     * @param builder already set by the properties; what is set here wins, but locked methods without a wait of their
     *     own still wait as long as the property {@code dynamolock.wait} says
     */
    void customize(LockRegistryBuilder builder);
}
