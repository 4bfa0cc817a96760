/**
 * The rules of the lock, as values and pure functions without a clock, a thread or a call: what is in the table, which
 * writes change it, who holds a lock, how often to read it, and when to declare a session dead.
 *
 * <p>The engine, the stores and the registry may use every type here; this package uses none of them. Read {@link
 * io.dynamolock.internal.protocol.LockItem} first, which says who holds a lock, then {@link
 * io.dynamolock.internal.protocol.Entry} and {@link io.dynamolock.internal.protocol.Edit}. Sessions are {@link
 * io.dynamolock.internal.protocol.SessionItem} and {@link io.dynamolock.internal.protocol.SessionEdit}.
 */
@NullMarked
package io.dynamolock.internal.protocol;

import org.jspecify.annotations.NullMarked;
