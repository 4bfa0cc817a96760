/**
 * Arithmetic with durations. Every other package may use it, and it uses none of them. Read {@link
 * io.dynamolock.internal.time.Durations}, the only class here.
 */
@NullMarked
package io.dynamolock.internal.time;

import org.jspecify.annotations.NullMarked;
