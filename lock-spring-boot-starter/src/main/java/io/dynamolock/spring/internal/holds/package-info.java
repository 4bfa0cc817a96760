/**
 * Locks that are held, and by whom. Internal to the starter.
 *
 * <p>A {@link io.dynamolock.spring.internal.holds.HeldLock} is one grant with the number of its users, and releases it
 * with the last; read it first. {@link io.dynamolock.spring.internal.holds.HeldByThread} finds those of the current
 * thread, by their {@link io.dynamolock.spring.internal.holds.LockId}. {@link
 * io.dynamolock.spring.internal.holds.ThreadHold} runs a body on a thread as its holder, and deals with a loss as the
 * annotation says.
 */
@NullMarked
package io.dynamolock.spring.internal.holds;

import org.jspecify.annotations.NullMarked;
