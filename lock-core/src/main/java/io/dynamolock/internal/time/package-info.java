/**
 * Clocks, and moments, deadlines and durations as values. Every internal room may use them, and they use none of the
 * rooms. Read {@link io.dynamolock.internal.time.TimeSource} first, from which all time comes.
 */
@NullMarked
package io.dynamolock.internal.time;

import org.jspecify.annotations.NullMarked;
