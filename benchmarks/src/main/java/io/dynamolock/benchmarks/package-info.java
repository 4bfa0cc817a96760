/**
 * Measures this project's lock beside its peers, in one run and on one store. Read
 * {@link io.dynamolock.benchmarks.BenchmarkMain} first: it runs the chosen scenarios one after the other. A program, so
 * nothing here is called from outside.
 */
@NullMarked
package io.dynamolock.benchmarks;

import org.jspecify.annotations.NullMarked;
