/**
 * Locks that live in the user's own items. {@link io.dynamolock.lockingread.LockingTable} and {@link
 * io.dynamolock.lockingread.AsyncLockingTable} lock and read an item in one call, and write and unlock it in another.
 * There is no queue and no order; {@code docs/fencing.md} tells when to use them. The tables are
 * those of the AWS SDK's {@code dynamodb-enhanced}, which an application adds for this.
 *
 * <p>The public classes are for users, and nothing else of DynamoLock uses this package. It needs neither the engine
 * nor the store. To read the code, begin with {@link io.dynamolock.lockingread.AsyncLockingTable}, which the blocking
 * table only wraps; then {@code LockTries} for how an item gets locked, and {@code Observations} for when a lock may be
 * taken over.
 */
@NullMarked
package io.dynamolock.lockingread;

import org.jspecify.annotations.NullMarked;
