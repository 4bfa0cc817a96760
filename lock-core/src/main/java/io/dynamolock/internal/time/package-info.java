/**
 * Moments, deadlines, durations and jitter, as values. Every other internal package may use them, and they use none of the others. Read {@link
 * io.dynamolock.internal.time.Moment} first.
 */
@NullMarked
package io.dynamolock.internal.time;

import org.jspecify.annotations.NullMarked;
