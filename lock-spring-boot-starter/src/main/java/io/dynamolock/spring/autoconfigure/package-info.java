/**
 * Auto-configuration for Spring Boot, and the {@code dynamolock.*} properties. Applications may declare a {@link
 * io.dynamolock.spring.autoconfigure.LockRegistryBuilderCustomizer} or {@link
 * io.dynamolock.spring.autoconfigure.DynamoLockConnectionDetails}, and exclude auto-configurations by name. Read {@link
 * io.dynamolock.spring.autoconfigure.DynamoLockAutoConfiguration} first: it makes the registry.
 */
@NullMarked
package io.dynamolock.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
