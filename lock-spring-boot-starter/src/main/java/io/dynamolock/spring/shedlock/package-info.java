/**
 * These locks for ShedLock: {@link io.dynamolock.spring.shedlock.DynamoLockProvider} is its {@code LockProvider}, for
 * applications to declare or to inject.
 */
@NullMarked
package io.dynamolock.spring.shedlock;

import org.jspecify.annotations.NullMarked;
