/**
 * The rules of the lock: what lies in the table, the one kind of write that changes a lock, who holds it, how often to read and
 * whom to take for dead. Values and pure functions; no clock, no thread and no call.
 */
@NullMarked
package io.dynamolock.internal.protocol;

import org.jspecify.annotations.NullMarked;
