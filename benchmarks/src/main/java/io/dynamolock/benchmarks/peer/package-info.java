/** The locks that are compared, each behind the same small door. */
@NullMarked
package io.dynamolock.benchmarks.peer;

import org.jspecify.annotations.NullMarked;
