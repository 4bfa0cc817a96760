/**
 * What the lock costs and how it scales, on virtual time: {@code benchmarks/scaling.md}. Read
 * {@link io.dynamolock.scale.ScaleTest} first.
 */
@NullMarked
package io.dynamolock.scale;

import org.jspecify.annotations.NullMarked;
