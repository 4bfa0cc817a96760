/**
 * Load on locks, and the measured results: threads that contend for locks, waiters that wait, a process that holds many
 * locks. Read {@link io.dynamolock.benchmarks.load.ContentionRun} first. Knows the peers, but no scenario.
 */
@NullMarked
package io.dynamolock.benchmarks.load;

import org.jspecify.annotations.NullMarked;
