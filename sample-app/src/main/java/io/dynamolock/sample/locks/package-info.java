/**
 * An HTTP endpoint that shows a lock and its queue: {@link io.dynamolock.sample.locks.LockController}.
 */
@NullMarked
package io.dynamolock.sample.locks;

import org.jspecify.annotations.NullMarked;
