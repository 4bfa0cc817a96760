/**
 * Held locks and their holders. Internal to the starter.
 *
 * <p>A {@link io.dynamolock.spring.internal.holds.HeldLock} counts the users of one grant, and releases it when the
 * last user leaves; read it first. {@link io.dynamolock.spring.internal.holds.HeldByThread} finds the locks of the
 * current thread by their {@link io.dynamolock.spring.internal.holds.LockId}. {@link
 * io.dynamolock.spring.internal.holds.ThreadHold} makes a thread the holder of a lock while it runs a body, and reacts
 * to a loss as the annotation says.
 */
@NullMarked
package io.dynamolock.spring.internal.holds;

import org.jspecify.annotations.NullMarked;
