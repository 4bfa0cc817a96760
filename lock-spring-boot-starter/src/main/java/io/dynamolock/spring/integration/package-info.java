/**
 * DynamoLock for Spring Integration: {@link io.dynamolock.spring.integration.IntegrationLockRegistry} implements Spring
 * Integration's {@code LockRegistry}. Applications declare or inject it.
 */
@NullMarked
package io.dynamolock.spring.integration;

import org.jspecify.annotations.NullMarked;
