/**
 * What the starter sets up in a Spring Boot application, and the {@code dynamolock.*} properties that change it.
 * Applications may declare a {@link io.dynamolock.spring.autoconfigure.LockRegistryBuilderCustomizer} or {@link
 * io.dynamolock.spring.autoconfigure.DynamoLockConnectionDetails}, and name the auto-configurations to exclude them.
 * Read {@link io.dynamolock.spring.autoconfigure.DynamoLockAutoConfiguration} first, which makes the registry.
 */
@NullMarked
package io.dynamolock.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
