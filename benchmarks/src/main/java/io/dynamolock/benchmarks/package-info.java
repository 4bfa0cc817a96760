/** Measures this lock beside its peers, in one run, on one store. */
@NullMarked
package io.dynamolock.benchmarks;

import org.jspecify.annotations.NullMarked;
