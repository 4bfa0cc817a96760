/** The locks that are compared, each behind the same small interface. */
@NullMarked
package io.dynamolock.benchmarks.peer;

import org.jspecify.annotations.NullMarked;
