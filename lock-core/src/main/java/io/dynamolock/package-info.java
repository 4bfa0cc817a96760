/**
 * What users see of the lock: {@link io.dynamolock.LockRegistry#builder} builds a {@link io.dynamolock.LockRegistry}, which
 * grants {@link io.dynamolock.LockHandle}s.
 */
@NullMarked
package io.dynamolock;

import org.jspecify.annotations.NullMarked;
