/**
 * Locks that stay until the transaction of their caller has ended. Internal to the starter.
 *
 * <p>{@link io.dynamolock.spring.internal.transactions.TransactionEnd} releases a lock after a transaction that is
 * bound to a thread; read it first. {@link io.dynamolock.spring.internal.transactions.TransactionCheck} rolls such a
 * transaction back if a lock was lost. {@link io.dynamolock.spring.internal.transactions.ReactiveTransaction} does both
 * for a reactive transaction.
 */
@NullMarked
package io.dynamolock.spring.internal.transactions;

import org.jspecify.annotations.NullMarked;
