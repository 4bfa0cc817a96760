/** What the lock costs and how it scales, on virtual time: {@code benchmarks/scaling.md}. */
@NullMarked
package io.dynamolock.scale;

import org.jspecify.annotations.NullMarked;
