/**
 * Retries of locked methods. Internal to the starter: {@link io.dynamolock.spring.internal.retries.RetryUnderLock}
 * moves them inside the lock, and says why.
 */
@NullMarked
package io.dynamolock.spring.internal.retries;

import org.jspecify.annotations.NullMarked;
