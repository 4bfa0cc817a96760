/**
 * Retries of locked methods. Internal to the starter: {@link io.dynamolock.spring.internal.retries.RetryUnderLock} says
 * what it does and why.
 */
@NullMarked
package io.dynamolock.spring.internal.retries;

import org.jspecify.annotations.NullMarked;
