/**
 * These locks for Spring Integration: {@link io.dynamolock.spring.integration.IntegrationLockRegistry} is its {@code
 * LockRegistry}, for applications to declare or to inject.
 */
@NullMarked
package io.dynamolock.spring.integration;

import org.jspecify.annotations.NullMarked;
