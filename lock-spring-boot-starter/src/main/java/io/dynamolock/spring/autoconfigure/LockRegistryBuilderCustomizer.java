package io.dynamolock.spring.autoconfigure;

import io.dynamolock.LockRegistryBuilder;

/**
 * Changes the settings of the auto-configured registry. All beans of this type are called, in their {@linkplain
 * org.springframework.core.annotation.Order order} and after the properties: for the registry, and once more for its
 * {@link io.dynamolock.LockTable}.
 */
@FunctionalInterface
public interface LockRegistryBuilderCustomizer {

    /**
     * Called while the context starts. An exception stops the start.
     *
     * @param builder has the settings of the properties; settings made here take precedence, but the property {@code
     *     dynamolock.wait} still decides how long locked methods wait by default
     */
    void customize(LockRegistryBuilder builder);
}
