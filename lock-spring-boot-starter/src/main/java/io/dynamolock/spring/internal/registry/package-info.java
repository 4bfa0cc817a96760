/**
 * What every {@link io.dynamolock.LockRegistry} bean of a context gets, whoever made it. Internal to the starter: the
 * auto-configuration and {@code @EnableDynamoLocks} import {@link
 * io.dynamolock.spring.internal.registry.LockRegistryConfiguration}, which is to be read first.
 */
@NullMarked
package io.dynamolock.spring.internal.registry;

import org.jspecify.annotations.NullMarked;
