/**
 * Clocks, and moments, deadlines and durations as values. Every internal package may use them, and they use no other
 * package. Read {@link io.dynamolock.internal.time.TimeSource} first, from which all time comes.
 */
@NullMarked
package io.dynamolock.internal.time;

import org.jspecify.annotations.NullMarked;
