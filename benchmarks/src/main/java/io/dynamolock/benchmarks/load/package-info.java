/** Who works with a lock, how often, and what that took. */
@NullMarked
package io.dynamolock.benchmarks.load;

import org.jspecify.annotations.NullMarked;
