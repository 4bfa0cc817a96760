/** What is measured. */
@NullMarked
package io.dynamolock.benchmarks.scenario;

import org.jspecify.annotations.NullMarked;
