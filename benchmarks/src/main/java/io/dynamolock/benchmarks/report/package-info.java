/** Tables and charts of what was measured. */
@NullMarked
package io.dynamolock.benchmarks.report;

import org.jspecify.annotations.NullMarked;
