/**
 * Further uses of locks: around a transaction, for asynchronous work, for a scheduled job, for a leader, for readers.
 * Each class shows one; read {@link io.dynamolock.sample.billing.Invoices} first.
 */
@NullMarked
package io.dynamolock.sample.billing;

import org.jspecify.annotations.NullMarked;
