/**
 * The port to the table: what the engine asks of a store, in the types of the protocol. The implementations are in
 * {@code memory} and {@code dynamodb}; only the code that builds a registry or a table knows those. Read {@link
 * io.dynamolock.internal.store.LockStore} first.
 */
@NullMarked
package io.dynamolock.internal.store;

import org.jspecify.annotations.NullMarked;
