/**
 * A lock that lives on the user's own item: {@link io.dynamolock.lockingread.LockingTable} and
 * {@link io.dynamolock.lockingread.AsyncLockingTable} lock an item and read it in one call, and write and unlock it in
 * another. There is no queue and no order; {@code docs/fencing-and-locking-reads.md} says when
 * to use it. The tables are those of the AWS SDK's {@code dynamodb-enhanced}, which an application adds for it.
 */
@NullMarked
package io.dynamolock.lockingread;

import org.jspecify.annotations.NullMarked;
