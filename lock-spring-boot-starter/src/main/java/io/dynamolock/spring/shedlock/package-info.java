/**
 * DynamoLock for ShedLock: {@link io.dynamolock.spring.shedlock.DynamoLockProvider} implements ShedLock's {@code
 * LockProvider}. Applications declare or inject it.
 */
@NullMarked
package io.dynamolock.spring.shedlock;

import org.jspecify.annotations.NullMarked;
