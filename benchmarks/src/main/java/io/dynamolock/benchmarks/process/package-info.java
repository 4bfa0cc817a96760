/** Other processes that a measurement needs: the database, and holders that can be killed. */
@NullMarked
package io.dynamolock.benchmarks.process;

import org.jspecify.annotations.NullMarked;
