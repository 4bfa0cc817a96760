/**
 * DynamoLock for Spring Integration: {@link io.dynamolock.spring.integration.IntegrationLockRegistry} implements Spring
 * Integration's {@code LockRegistry}, and {@link io.dynamolock.spring.integration.PlainIntegrationLockRegistry} that of
 * version 6. Applications declare or inject the one or the other.
 */
@NullMarked
package io.dynamolock.spring.integration;

import org.jspecify.annotations.NullMarked;
