/**
 * Turns users' calls into the engine's. {@code DefaultLockRegistry} hands each call to the part that does it:
 * {@code Admission} checks it, {@code Acquisitions} waits for the engine's answer, {@code SeveralLocks} takes several
 * locks or none, {@code ReentrantLockView} and {@code ThreadHolds} know what a thread holds, and {@code Lifecycle}
 * pauses and ends.
 *
 * <p>Read {@code DefaultLockRegistry} first. The starter uses that class to add listeners and observers, and
 * {@code AdoptableLock} to hand a hold from thread to thread.
 */
@NullMarked
package io.dynamolock.internal.registry;

import org.jspecify.annotations.NullMarked;
