/**
 * Gives every {@link io.dynamolock.LockRegistry} bean of a context, also a bean of the application, its listeners, its
 * observer and its events, and closes the registry at the right time. Internal to the starter: the auto-configuration
 * and {@code @EnableDynamoLocks} import {@link io.dynamolock.spring.internal.registry.LockRegistryConfiguration}; read
 * it first.
 */
@NullMarked
package io.dynamolock.spring.internal.registry;

import org.jspecify.annotations.NullMarked;
