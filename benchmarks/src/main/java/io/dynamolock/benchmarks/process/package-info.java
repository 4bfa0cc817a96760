/**
 * Other processes that a measurement needs: the database, and holders that can be killed and frozen. Read
 * {@link io.dynamolock.benchmarks.process.ChildJvm} first.
 */
@NullMarked
package io.dynamolock.benchmarks.process;

import org.jspecify.annotations.NullMarked;
