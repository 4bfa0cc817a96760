/**
 * Equips every {@link io.dynamolock.LockRegistry} bean of a context, whoever made it, with listeners, an observer,
 * events and a timely end. Internal to the starter: the auto-configuration and {@code @EnableDynamoLocks} import {@link
 * io.dynamolock.spring.internal.registry.LockRegistryConfiguration}; read it first.
 */
@NullMarked
package io.dynamolock.spring.internal.registry;

import org.jspecify.annotations.NullMarked;
